# SPDX-License-Identifier: Apache-2.0
# The steps of Install and Remove (PMD-331, PMD-332, PMD-334) done to the private root of install_trial.cc, and to
# nothing else: no agent and no pmcd is there. What the script has set is noted.

iam=
dso_opt=false
daemon_opt=true
perl_opt=false
python_opt=false
pipe_opt=true
socket_opt=false
socket_inet_def=
ipc_prot=binary
check_delay=1
args=
pmda_interface=1
pmns_source=pmns
pmns_name=
pmns_dupok=false
help_source=help
pmda_name=
pmda_dir=
dso_name=
dso_entry=
dso_suffix=so
domain=
SYMDOM=
forced_restart=false
prog=${0##*/}
tmp=/tmp/install.$$
mkdir -p "$tmp"

pmproof_note() { echo "$*" >>/opt/pmproof/log/variables; }

pmproof_stop() {
    echo "$prog: $*" >&2
    exit 1
}

pmdaSetup() {
    [ -n "$iam" ] || pmproof_stop "iam is not set"
    pmda_dir=$(pwd)
    : "${pmns_name:=$iam}" "${pmda_name:=pmda$iam}" "${dso_entry:=${iam}_init}"
    : "${dso_name:=$PCP_PMDAS_DIR/$iam/pmda_$iam.$dso_suffix}"
    if [ -f domain.h ]; then
        pmproof_define=$(sed -n 's/^#define[ \t]*\([A-Za-z_][A-Za-z0-9_]*\)[ \t]*\([0-9][0-9]*\).*/\1 \2/p' domain.h)
    else
        pmproof_define=$(cat /opt/pmproof/log/domain 2>/dev/null)
    fi
    SYMDOM=${pmproof_define%% *}
    domain=${pmproof_define##* }
    [ -n "$domain" ] || pmproof_stop "the domain is not known"
    pmproof_note_all
}

pmproof_note_all() {
    for pmproof_name in iam dso_opt daemon_opt perl_opt python_opt pipe_opt socket_opt socket_inet_def ipc_prot args \
        pmns_source pmns_name help_source pmda_name dso_name dso_entry domain SYMDOM; do
        eval "pmproof_note \"$pmproof_name=\$$pmproof_name\""
    done
}

pmproof_line() {
    if $python_opt; then
        echo "$iam $domain pipe $ipc_prot /usr/bin/python3 $PCP_PMDAS_DIR/$iam/$pmda_name.python $args"
    elif $perl_opt; then
        pmproof_suffix=perl
        [ -f "$pmda_name.pl" ] && pmproof_suffix=pl
        echo "$iam $domain pipe $ipc_prot perl $PCP_PMDAS_DIR/$iam/$pmda_name.$pmproof_suffix $args"
    elif $dso_opt && ! $daemon_opt; then
        echo "$iam $domain dso $dso_entry $dso_name"
    elif $daemon_opt && $pipe_opt; then
        echo "$iam $domain pipe $ipc_prot $PCP_PMDAS_DIR/$iam/$pmda_name -d $domain $args"
    else
        echo "$iam $domain socket inet ${socket_inet_def:-$iam} $PCP_PMDAS_DIR/$iam/$pmda_name -d $domain -i ${socket_inet_def:-$iam} $args"
    fi
}

# The lines of other agents; with a line, that before the access section.
pmproof_configure() {
    awk -v label="$iam" -v domain="$domain" -v line="$1" '
        $1 == label && $2 == domain { next }
        /^\[access\]/ && line != "" { print line; line = "" }
        { print }
        END { if (line != "") print line }' "$PCP_PMCDCONF_PATH" >"$tmp/conf" &&
        cat "$tmp/conf" >"$PCP_PMCDCONF_PATH"
}

# Each of several names has a source of its own: pmns.dmcache.
pmproof_merge() {
    for pmproof_name in $pmns_name; do
        pmproof_source=$pmns_source
        [ "$pmproof_name" = "$pmns_name" ] || pmproof_source=$pmns_source.$pmproof_name
        if [ -f "$pmproof_source" ]; then
            sed "s/\\b$SYMDOM\\([ \\t]*:\\)/$domain\\1/g" "$pmproof_source" >"$PCP_VAR_DIR/pmns/$pmproof_name"
        else
            pmproof_note "missing_source=$pmproof_source"
            printf '%s {\n}\n' "$pmproof_name" >"$PCP_VAR_DIR/pmns/$pmproof_name"
        fi
    done
}

pmdaInstall() {
    pmproof_note_all
    pmproof_merge
    if [ -f "$help_source" ]; then
        : >"$help_source.dir" && : >"$help_source.pag"
    fi
    pmproof_configure "$(pmproof_line)"
    pmsignal -s HUP pmcd
}

pmdaRemove() {
    pmproof_configure ""
    pmsignal -s HUP pmcd
    for pmproof_name in $pmns_name; do rm -f "$PCP_VAR_DIR/pmns/$pmproof_name"; done
}

_setup() { pmdaSetup; }
_install() { pmdaInstall; }
_remove() { pmdaRemove; }
