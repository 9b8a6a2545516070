# SPDX-License-Identifier: Apache-2.0
"""Configuration files of derived metrics, each of which libpcp loads without harm."""

# Not among them: context_limit, which needs a context of the caller, debugging, and "#control" alone, after which
# libpcp looks at what was in its buffer before. NUL bytes neither.
CASES: dict[str, bytes] = {
    "definitions": (
        b"# comment\nd.a = a.x + 1\nd.b=a.x\n   d.c   =   a.x * 2   \nd.noexpr =\nd.noexpr2 =   \nno equals here\n"
        b"   \n = 3\n=4\n1bad = 5\nbad-name = 5\nbad..name = 3\ngood. = 7\ngood.b. = 7\n.x = 5\nd.syn = 1 +\n"
        b'd.syn2 = \ta b c\n\td.tab\t=\t1 2\nd.syn3 =  +1\nd.empty = )\nd.q = "abc\n  # not a comment\n'
        b"d.trail = 3 # trailing\nd.a = 4\nd.nobind = no.such\nd.bindsyn = a.x : 3\nd.last = 5"
    ),
    "attributes": (
        b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline) = short text  \nd.a(helptext) = "long text\n'
        b'over \\"two\\" lines"\nd.b(helptext) = \'only help \\x \\\\ y\\\njoined\'\nd.c(oneline)=\n'
        b"d.c(oneline)=   \nd.c()=x\nd.c( )=x\nd.c(foo)=x\nd.c(ONELINE)=x\nd.c(oneline = x\nd.c oneline) = x\n"
        b"d.c(oneline)extra = hello\nd.c (helptext) = spaced\nd.a(oneline) = again\nd.no(oneline) = nothing\n"
        b'd.c(oneline) = "abc" def\n(oneline) = x\n1.c(oneline) = y\nd.c( oneline ) = z\nd.b(oneline) = "" \n'
        b'd.c(helptext) = "open\nnever closed\nd.z = 1\n'
    ),
    "continued": (
        b"d.a = 1 + \\\n 2\nd.b = 1 \\\n+ \\\n3\nd.c \\\n= 4\n# comment \\\nd.d = 5\nd.e = 1 +\nd.f = bad \\\n"
        b"thing\nd.g = \\\\\nd.h = 7 \\ \nd.i = 1\\"
    ),
    "basehelp": b"a.x(oneline) = hello\n",
    "blanks": b"\x0b\x0cd.a\r\t=\x0b\x0c1\r\nd.b=\r\nd.c =\t2\r\n\r\n\t\n\x0c\nd.d (oneline) = x\n",
    "caret": (
        b"d.a =   a b  c  \nd.b = a\\b\nd.c = \t1 \t2 \t3\nd.d = 1 +\t\nd.e =  \t \n d.f  =  a..b c\n"
        b"d.g = 1 + + \t \n"
    ),
    "comment_noeol": b"# x",
    "crlf": b'# x\r\nd.a = 1\r\nd.a(oneline) = x y\r\nd.a(helptext)="z"\r\n',
    "limits": (
        b"#control global_limit=2\nd.a = 1\nd.b = 2\nd.c = 3\n#control global_limit=-1\nd.d = 4\n"
        b"#control global_limit=1\nd.e = 5\n"
    ),
    "controls_names": (
        b"#control\td=0,debug_s=0,debug_se=0,debug_e=0,D=0,O=1,G=7,OPTION_NOVALUEX=1,option_novalue =1\n"
        b"#cOnTrOl option_novalue=0x1\n#control o= 1\n#control o=-1\n#control g=-0\n#control g=2147483648\n"
        b"#control g=4294967297\n#control g=9223372036854775808\n#control o==1\n#control o=1,,g=5\n"
        b"#control o=1 ,g=5\n"
    ),
    "controls_continued": b"#control o=1 \\\n,g=5\n#control o=1,\\\ng=5\nd.a = nope \\\n + 1\n",
    "controls_next_character": b"#controlo=1\n#control-o=1\n#control=o=1\n#CONTROL o=0\n",
    "dupattr": b"d.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)=\nd.a(oneline)= x\nd.a(oneline)=y\n",
    "empty": b"",
    "equals": b"d.a == 1\nd.b =  = 1\nd.c = 1 == 1\nd.d=1=2\n=\n==\n = \n",
    "eventattr": b"event.flags(oneline) = hello\nevent.missed(helptext) = x\n",
    "other_bytes": b"d.\xe4 = 1\n\xff = 2\nd.b = \xe4\n# \xff\n",
    "names": (
        b"a=1\na.=2\na..=3\n.=4\n_a=5\na_=6\na.1=7\na._b=8\na1.b2=9\nA.B=10\na b=11\na.b.c.d.e=12\n"
        b"event.flags = 3\na.x = 3\na:b=3\n"
    ),
    "empty_lines": b"\n\n\n",
    "no_newline": b"d.a = 1",
    "no_equals": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)\nd.a(oneline) "x = y"\nd.z = 1\n',
    "parens": (
        b"d.a = 1\nd.b = 2\nd.c = 3\nd.c)oneline( = x\nd.c) = x\nd.c(one(line) = z\nd.b(oneline)) = z1\n"
        b"d.a(oneline)(helptext) = z2\n) = x\n( = x\n() = x\nd.c( = x\nd.z(=1\n"
    ),
    "parens2": (
        b"d.a = 1\nd.b = 2\nd.c = 3\n(x = 1\n(x) = 1\nx) = 1\n(oneline)d.a = x\nd a(oneline) = y\n"
        b"d.a.(oneline) = y\n"
    ),
    "q_badattr": b'd.a = 1\nd.b = 2\nd.c = 3\nd.c(foo) = "a\nd.y = 1"\nd.z = 1\n',
    "q_badname": b'd.a = 1\nd.b = 2\nd.c = 3\n1.c(oneline) = "a\nd.y = 1"\nd.z = 1\n',
    "q_cont": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="a\\\nb\\\\\nc"\nd.z = 1\n',
    "q_cont2": b"d.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)=a \\\nb\nd.b(oneline) \\\n= c\nd.z = 1 1\n",
    "q_dup": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)=x\nd.a(oneline) = "a\nd.y = 1"\nd.z = 1\n',
    "q_extra": (
        b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="x"yz\nd.b(oneline)="x" "y"\nd.c(oneline)="x" y\n'
        b'd.a(helptext)="x"   \nd.z = 1\n'
    ),
    "q_extra_multi": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="x\ny" z \\\nw\nd.z = 1\n',
    "q_hash": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="a\n# b\n#control o=1\n"\nd.z = 1 1\n',
    "q_noattr": b'd.a = 1\nd.b = 2\nd.c = 3\nd.c() = "a\nd.y = 1"\nd.z = 1\n',
    "q_noclose": b'd.a = 1\nd.b = 2\nd.c = 3\nd.c(oneline = "a\nd.y = 1"\nd.z = 1\n',
    "q_nodef": b'd.a = 1\nd.b = 2\nd.c = 3\nd.no(oneline) = "a\nd.y = 1"\nd.z = 1\n',
    "q_noname": b'd.a = 1\nd.b = 2\nd.c = 3\n(oneline) = "a\nd.y = 1"\nd.z = 1\n',
    "q_noopen": b'd.a = 1\nd.b = 2\nd.c = 3\nd.c oneline) = "a\nd.y = 1"\nd.z = 1\n',
    "q_open": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="abc\\"\nd.z = 1\n',
    "q_open_noeol": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="abc"',
    "q_open_noeol2": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="abc',
    "q_openq": b"d.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)='abc\n",
    "q_single": (
        b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)=\'it\\\'s "q" \\n \\t\'\nd.b(oneline)=\'a\'\'b\'\nd.z = 1\n'
    ),
    "unit": b'd.a = mkconst(1, units="foo")\nd.b = rescale(a.x,"Mbyte")\nd.c = matchinst(/(/,a.x)\n',
    "backslashes": b"\\\nd.a = 1\n\\\n# x\n\\\n\nd.b = 1 1\n",
    "crlf_2": (
        b"d.a = 1 2\r\nd.b =\r\nd.c = a \r\nnoeq\r\n\r\nd.d = 1 + \\\r\n 2\r\n#control o=1\r\n#control g=5 \r\n"
    ),
    "limit_before_duplicate": b"#control g=1\nd.a = 1\nd.a = 2\nd.b = 3 3\nd.b = 1\n",
    "controls_order": b"d.a = no.x\n#control o=1\nd.b = no.x\n",
    "controls_values": (
        b"#control o=,g=1\n#control o=x,g=5\n#control zz=x,g=5\n#control zz=,g=5\n#control zz\n#control o=1,zz\n"
        b"#control g=9,zz=1,o\n#control o=\\\n1\n#control g\t=5\n#control g=\t5\n#control g= \n"
        b"#control g=-9223372036854775809\n#control g=18446744073709551617\n#control g= +7\n#control g=+ 7\n"
        b"#control debug_sem=0,debug_e=0\n#control debug_=1x\n#control option=1,option_no=1\n"
    ),
    "fail": b"d.a = 1 1\nd.a(oneline) = x\n",
    "helplate": b"d.a(oneline) = early\nd.a = 1\nd.a(oneline) = late\n",
    "helpq": (
        b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)=""\nd.a(oneline)=x\nd.b(oneline) =\tx\ty \t\nd.b(helptext)= ""\n'
        b'd.c(oneline)=\'\'\nd.c(helptext)="\\"\n"\nd.d(oneline)=q\n'
    ),
    "last": b"d.a = 1\n\\\n",
    "last2": b"d.a = 1 \\\n",
    "last3": b"# c \\",
    "messages": b"d.a = \nd.a =\\\n\nd.b(oneline)\\\n= 4\n(\\\nx\n",
    "novalue": b"#control o=1\nd.x = no.such + 1\n#control o=0\nd.y = no.such + 1\n",
    "order": (
        b"d.a = 1\nd.b = 2\nd.c = 3\n1b(x = y\n1b() = y\n1b =\n1b = \n1b(x)=\n1b(x)\nd.a()=\nd.a(foo)=\n"
        b"d.no(foo)=x\nd.no(oneline)=\nd.no()=x\nd.a(oneline)=x\nd.a(foo)=\n"
    ),
    "order2": (
        b'd.a = 1\nd.b = 2\nd.c = 3\nd.no(foo)=x\nd.a(oneline)=1\nd.a(oneline)="2" 3\nd.no(oneline)="2" 3\n'
        b'1b(foo)="2" 3\nd.a(foo)="2" 3\nd.b(oneline)="2"  3  \n'
    ),
    "qafter": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="x\ny"\n# c\nd.d = 1 1\nd.b(oneline)="\n\n\n"\nd.e = 1 1\n',
    "qcont": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="a\nb\\\\\nc"\nd.b(oneline)="a\nb\\\nc"\nd.z = 1 1\n',
    "qcont2": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)="a \\\n b" x \\\n y\nd.b = 1 1\n',
    "qfirst": b'd.a = 1\nd.b = 2\nd.c = 3\nd.a(oneline)= \\\n"x\ny"\nd.b = 1 1\n',
    "syncont": b"d.a = 1 \\\n 1 \\\n 1\nd.b = \\\n\\\n 2 2\nd.c \\\n",
    "control": (
        b"#control o=1\n#Control option_novalue=1\n#CONTROL:global_limit=3\n#controlxglobal_limit=3\n"
        b"#control novalue=1\n#control global_limit=4,debug_syntax=0\n#control global_limit= 4\n"
        b"#control global_limit=0\n#control global_limit=-1\n#control global_limit=-2\n#control global_limit\n"
        b"#control =\n#control \n#control o=2\n#control zzz=1\n#control o=1,zzz=2,global_limit=3\n#control o=x\n"
        b"#control o=1x\n#control o=\n#control ,o=1\n#control o=1,\n#control d=0\n#controls o=1\n #control o=1\n"
        b"#con o=1\n# control o=1\n#control  o=1\n#control\to=1\n#control o=+1\n#control o=01\n"
        b"#control o=99999999999\n#control o=1 \n#control =7\n#control o=1=2\nd.a = no.such\nd.b = 1\nd.c = 2\n"
        b"d.d = 3\nd.e = 4\nd.f = 5\nd.g = 6\nd.h = 7\n"
    ),
    "value_lines": (
        b'd.a = 1\nd.a(oneline)=x\nd.a(oneline)="a\nb\nc"\nd.a(oneline)="a\nb\nc\nd" z\n'
        b'd.no(oneline)="\\\n\\\n\nd"\nd.z = 1 1\n'
    ),
    "value_at_the_end": b'd.a = 1\nd.a(oneline)="x\ny" z',
    "long": b"d." + b"x" * 5000 + b" = 1\nd.b = " + b"1+" * 3000 + b"\nd.c = " + b"z" * 400 + b" b\n",
}
