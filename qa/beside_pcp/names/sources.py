# SPDX-License-Identifier: Apache-2.0
"""Name spaces, help texts and pmcd.conf files to compare readers with: thought up, and at random."""

import random

PMNS = [
    "root {\n a 1:2:3\n b\n}\nb {\n c 1:2:4\n d\n}\nb.d { e 1:2:5 }\n",
    "root {\n a 1:2:3\n}\nb { c 1:2:4 }\n",
    "root {\n a 1:2:3\n b\n}\n",
    "root { a 1:2:3 }\nroot { b 1:2:4 }\n",
    "a { b 1:2:3 }\n",
    "root{ a 1:2:3 }\n",
    "root { a 1:2:3 b 1:2:4 c }\nc { d 1:2:5 }\n",
    "root { a 1 : 2 : 3\n b 1: 2 :4 }\n",
    "root { a 1:2:3 b }\nb { }\n",
    "root { a 1:2:3 b }\nb { c }\nb.c { }\n",
    "root { a 1:2:3\n",
    "root { a 1:2:3\n b\n b { c 1:2:4 }\n",
    "root { a 1:2:3 }",
    "root { a 1:2:3 b }\nb",
    "root { a 511:0:0 }\n",
    "root { a 510:4095:1023 b 0:0:0 }\n",
    "root { a 1:4096:0 }\n",
    "root { a 1:1:1024 }\n",
    "root { a 29:*:* b }\nb { c 30:*:* d 1:1:1 }\n",
    "root { a 29:3:* }\n",
    "root { a 29:*:3 }\n",
    "root { a 1:2:3:4 b 1:2:5 }\n",
    "root { a 1:2 }\n",
    "root { a 1 }\n",
    "root { a 1:2:3 a 1:2:4 }\n",
    "root { a 1:2:3 b 1:2:3 }\n",
    "root { a 29:*:* b 29:*:* }\n",
    "root { a-b 1:2:3 }\n",
    "root { 1a 1:2:3 }\n",
    "root { _a 1:2:3 }\n",
    "root { a.b 1:2:3 }\n",
    "c.d { e 1:2:5 }\nc { d\n f 1:2:6 }\nroot { c z 1:2:9 b 1:2:8 }\n",
    "root { a }\nroot.a { b 1:2:3 }\n",
    "root { a 29:*:* }\na { b 1:2:3 }\n",
    "root { root }\n",
    "root { root 1:2:3 }\n",
    "root { b }\nb { c 1:2:3 }\nb { d 1:2:4 }\n",
    "root {\r\n\f a\v 1:2:3\r\n}\r\n",
    "root { a 1:2:3 } }\n",
    "root { a\n1:2:3 b\n}\nb\n{ c 1:\n2:3 }\n",
    "",
    "root\n",
    "root { a 1:2:3" + " " * 238 + " }\n",
    "root { a 1:2:3" + " " * 239 + " }\n",
    "#define SIMPLE 253\nroot { s }\ns { n SIMPLE:0:0 d SIMPLE:*:* }\n",
    "#define A B\n#define B A\nroot { A 1:2:3 B 1:2:4 }\n",
    "#define A 'b 1:2:3'\n#ifdef A\nroot { A }\n#else\nx\n#endif\n",
    "#define A\n#define A\nroot { }\n",
    "#ifdef A\n#ifdef B\n#endif\n#endif\nroot { }\n",
    "#ifdef A\nroot { }\n",
    "#ifdef A\n#x\n#endif\nroot { }\n",
    "#pragma\nroot { }\n",
    '# 12 "foo"\nroot { a 1:2:3 }\n',
    "# 12\nroot { a 1:2:3 }\n",
    "root { /* x */ a 1:2:3 /* 1 *//* 2\n3 */ b/**/1:2:4 /*/ c */ }\n",
    "root { a 1:2:3 }\n/* never\n",
    '#include "none"\nroot { }\n',
    "#definex y\nroot { x 1:2:3 }\n",
    "#define F(x) x\nroot { }\n",
    "#ifdef A\n#else\n#else\n#endif\nroot { }\n",
]

HELP_NAMES = """root { simple s2 }
simple { numfetch 253:0:0 color 253:0:1 time dyn 253:*:* dup 253:0:0 }
simple.time { user 253:1:2 }
s2 { a 29:3:7 b 30:0:1 }
"""

_Z = ("z" * 63 + "\n") * 40
HELP = [
    "@ simple.numfetch one line\nfull text\nmore\n\n@ simple.color The colour\n\n\nfull\n\n\n",
    "# x\n junk\n@ 253.0 indom\nfull\n# inside\nmore\n@ 253.0.1 pmid\nfull\n@ s2.a only line\n@ s2.b\nonly full\n",
    "@simple.numfetch glued\nx\n@ \t simple.color \f many  \n  y  \n@\vs2.a\vz\n",
    "@ simple.nosuch gone\nfull\n@ simple.color there\nx\n",
    "@ simple.color there\nx",
    "@ simple.color there",
    "@ simple.color\n@ simple.numfetch\n\n\n",
    "@ simple.color dup\n1\n@ simple.color dup2\n2\n@ 253.0.1 dup3\n3\n",
    "@ simple.time nonleaf\nx\n@ simple.dyn dynamic\ny\n@ simple.dup alias\nz\n",
    "@\n@ \nx\n@ simple.color ok\n",
    "@ 253.0.1.2 four\n@ 253 one\n@ 512.0 a\n@ 253.99999999 b\n@ 253.4096.0 c\n@ 253.0.1024 d\n@ -1.2 e\n",
    "@ 99999999999999999999.1 a\n@ 4294967549.0 b\n@ 253:0:1 c\n@ 253.0:1 d\n@ 0x1.2 e\n@ 253.1x f\n@ 253..0 g\n",
    "",
    "# only\n",
    "@ simple.color x\r\nfull\r\n",
    "@ simple.color x\n @ notstart\n@@ simple.numfetch y\nz\n",
    "@ simple.color x\na\0b\nc\n",
    "@ s2.b z\n@ 29.1 a\n@ simple.color y\n@ 253.0 b\n@ s2.a x\n@ 253.0.0 w\n@ 30.0 q\n@ 28.5 r\n",
    "@ simple.color x\n\n \n\t\nlast \n \n\n",
    "@ simple.color \xe4 \x01\x1b\nfull\xff\n",
    "@ simple.color " + "x" * 111 + "\nfull\n",
    "@ simple.color " + "x" * 112 + "\nfull\n",
    "@ simple.color " + "x" * 1007 + "\nfull\n",
    "@ simple.color " + "x" * 1008 + "\nfull\n",
    "@ simple.color x\n#" + "y" * 200 + "\nfull\n",
    "@ simple.color x\n" + "y" * 127 + "@ simple.numfetch z\nfull\n",
    "@ simple.color x\n" + _Z[:1008] + "\n@ simple.numfetch a\n@ s2.a b\n",
    "@ simple.color x\n" + _Z[:1009] + "\n@ simple.numfetch a\n@ s2.a b\n",
    "@ simple.color x\n" + _Z[:2032] + "\n@ simple.numfetch a\n@ s2.a b\n",
    "@ simple.color x\n" + _Z[:2033] + "\n@ simple.numfetch a\n@ s2.a b\n",
    "@ simple.color x\n" + "\n" * 2500 + "@ simple.numfetch a\n@ s2.a b\n",
    "@ 253.0.0 a\n@ 253.0.1 b\n@ 253.0.1 c\n@ 253.0.1 d\n",
]

CONF = [
    "a 253 pipe binary /bin/x 5\n",
    "A 253 PIPE BINARY NOTREADY /bin/x 5\n",
    "a 253 pipe text /bin/x 5\n",
    "a 0 pipe binary x\nb 510 pipe binary x\nc 511 pipe binary x\nd -1 pipe binary x\ne x pipe binary y\n",
    "a 1 pipe binary x\nb 1 pipe binary y\na 2 pipe binary z\n",
    "a 3 dso foo_init rel.so\n",
    "a 3 dso foo_init /abs.so extra\n",
    "a 3 dso foo_init /abs.so # c\n",
    "a 3 dso foo_init\n",
    "a 3 dso\n",
    "a 3 socket inet 1234 x y\nb 4 socket unix /tmp/s x\nc 5 socket ipv6 1235\ne 7 socket foo 12\n",
    "a 3 socket\n",
    "a 3 socket inet\n",
    "a 3 pipe binary \\\nx\nb 4 pipe binary x \\# y\n",
    "a 3\nb\n4 4 pipe binary x\nc 5 pipe\nd 6 pipe binary\ne 7 foo bar\n",
    "a 3 pipe binary notready\n",
    "a 3 pipe binary x\n[access]\nallow * : all;\nb 4 pipe binary y\n",
    "[access]\nallow * : all;\n",
    '[access]\ndisallow * : all except fetch;\nallow "local:*" : fetch;\nallow 10.1.* : maximum 3 connections;\n',
    "[access]\ndisallow * : all except fetch;\nallow local:* : fetch, store;\n",
    "[access]\nallow * : unlimited connections;\nallow * : all;\n",
    "[access]\nallow * : all;\ndisallow * : maximum 3 connections;\n",
    "[ACCESS]\nALLOW HOST * : ALL\n;\n",
    "[access]\nallow * all;\nallow * : all;\n",
    "[access]\nallow * : foo;\nallow * : all;\n",
    "[access]\nallow : all;\nallow * : all;\n",
    "[access]\nallow * : all;\nallow * : all except maximum 3 connections;\n",
    "[access]\nallow * : fetch; allow * : store; disallow 127.0.0.1 : store;\n",
    "a 1 pipe binary x\n[acc]\nallow * : all;\n",
    "[ access ]\nallow * : all;\n",
    "[access]\nallow 127.* : all;\nallow 127.0.* : all;\nallow .* : fetch; allow :* : fetch;\n",
    "[access]\nallow user * : all; allow group * : all;\n",
    "[access]\nallow * : maximum 0 connections;\nallow .* : maximum x connections;\nallow * : all;\n",
    "[access]\nallow * : maximum 5 connections, fetch;\n",
    "[access]\nallow * : all, fetch;\nallow * : all;\n",
    "[access]\nallow * : all except all;\nallow * : all;\n",
    "[access]\nallow * : all except store, fetch;\n",
    "[access]\nallow * : all except store, maximum 3 connections;\n",
    "[access]\nallow * : fetch, all except store;\nallow * : all;\n",
    "[access]\nallow * : all, maximum 3 connections;\n",
    "[access]\nallow * : ;\nallow * : all;\n",
    "[access]\nallow *, : all;\nallow * : all;\n",
    "[access]\nallow * : fetch store;\nallow * : all;\n",
    "[access]\nfoo * : all;\nallow * : fetch;\n",
    "[access]\nallow 127.*.1 : all;\nallow * : all;\n",
    "[access]\nallow 127.0.0.0.* : all;\nallow * : all;\n",
    "[access]\nallow 300.1.* : all;\nallow * : all;\n",
    '[access]\nallow "xyz:*" : all;\nallow "fe80::*" : all;\n',
    "[access]\nallow * : all;\ndisallow * : store;\n",
    '[access]\nallow * : fetch;\ndisallow "local:*" : fetch;\n',
    "[access]\nallow 127.0.0.1 : maximum 3 connections;\nallow 127.0.0.1 : maximum 4 connections;\n",
    "[access]\nallow 127.0.0.1 : fetch;\ndisallow 127.0.0.1 : store;\n",
    "[access]\ndisallow * : all except fetch;\ndisallow * : store;\nallow * : fetch;\n",
    "[access]\nallow user root : all except store;\ndisallow user root : store;\nallow user root : fetch;\n",
    "[access] allow * : all;\n",
    "[\naccess\n]\nallow * : all;\n",
    "a 3 pipe binary x\r\n[access]\r\nallow * : all;\r\n",
    'a 3 pipe binary "x\nb 4 pipe binary y\n',
    "a 010 pipe binary x\nb 8 pipe binary x\nc 10 pipe binary x\n",
    "a 3 pipe binary x " + "y" * (2198 - 18) + "\nb 4 pipe foo\n",
    "a 3 pipe binary x " + "y" * (2199 - 18) + "\nb 4 pipe foo\n",
    "a 3 pipe binary x" + " \\\n y" * 900 + "\nb 4 pipe foo\n",
    "# comment \\\na 3 pipe foo\n",
    "# comment\na 3 pipe foo\n",
]

# What follows the command's name, for pmcd itself to start.
ARGUMENTS = [
    "plain two",
    r'"two words" \"q\" "in \"q\" x" tail # comment',
    r"b \# y \\ \x \n",
    "c a,b:c;d [e] {f}",
    'd "a b"c d"e f"',
    'e ""  "x" \\\n  cont "inner\\\nline"',
    "f x#y 'single q'",
    "g $HOME *",
    "i notready",
    'k "tab\tin" x\\ y',
    "l co\\\nnt",
    r'm "\#" "\\" "\x"',
    "n , : ;",
    'o "x # y" z',
    'p "x\\\n# y" z',
    "q x\r",
    "r\v\f x",
]


def random_pmns(generator: random.Random) -> str:
    """Mostly right; short lines, as PCP's preprocessor does not survive some very long ones."""
    nodes: dict[str, list[str]] = {"root": []}
    paths = [""]
    for _ in range(generator.randint(1, 12)):
        path = generator.choice(paths)
        name = generator.choice("abcdefg") + generator.choice(["", "1", "_x", "Z", "2", "3"])
        full = f"{path}.{name}".lstrip(".")
        kind = generator.random()
        if kind < 0.35 and full not in nodes:
            nodes[full] = []
            paths.append(full)
            entry = name
        elif kind < 0.45:
            entry = f"{name} {generator.choice([0, 29, 510] * 5 + [511])}:*:*"
        else:
            domain = generator.choice([1, 2, 3, 29, 510] * 4 + ["N", 511])
            cluster = generator.choice([0, 1, 4095] * 8 + [4096])
            item = generator.choice([0, 1, 2, 3, 1023] * 5 + [1024])
            entry = f"{name}\t{domain}:{cluster}:{item}"
        nodes[path or "root"].append(entry)
    order = list(nodes)
    generator.shuffle(order)
    text = generator.choice(["", "#define N 7\n", "#ifdef N\n#else\n#define N 8\n#endif\n"])
    for path in order:
        blank = generator.choice([" ", "\n", "\n\t"])
        text += f"{path} {{" + "".join(blank + entry for entry in nodes[path]) + blank + "}\n"
    if generator.random() < 0.4:
        at = generator.randrange(len(text))
        # No ":", for PCP ignores one at the beginning or the end of a line.
        noise = ["{", "}", " ", "\n", "/*", "*/", "a", "9", "#", ".", "-", "\n#ifdef N\n", "\n#endif\n", "\t"]
        text = text[:at] + generator.choice(noise) + text[at + generator.randint(0, 1) :]
    return text


def random_help(generator: random.Random) -> str:
    words = ["@ ", "@", "simple.color", "simple.numfetch", "s2.a", "s2.b", "253.0.1", "253.0.0", "253.0", "29.1",
             " ", "\n", "\n", "\n", "x", "#", "y" * 125, "y" * 126, "z" * 1020, "\n@ 253.0.1 ", "\n@ simple.nosuch ",
             "\n@ simple.color one\n", "\n@ 253.0.1 one\n", "\n@ 253.0.1 one\n", "\n@ 30.0 one\n",
             "\t", "\0"]  # fmt: skip
    text = "".join(generator.choice(words) for _ in range(generator.randint(1, 40)))
    return text if generator.random() < 0.2 else text + "\n"
