# SPDX-License-Identifier: Apache-2.0
"""A badge in the form of shields.io's endpoint: the claim of the implementation, or the gravest of several."""

import json

from qa.suite.claims import CONFORMANT, NOT_CONFORMANT, UNDETERMINED
from qa.suite.journal import Run
from qa.suite.reports.text import claim_of

_COLORS = {CONFORMANT: "brightgreen", NOT_CONFORMANT: "red", UNDETERMINED: "lightgrey"}


def render(run: Run) -> str:
    claims = [claim_of(one) for one in run.implementations]
    order = [NOT_CONFORMANT, UNDETERMINED, *sorted(set(claims) - {CONFORMANT, NOT_CONFORMANT, UNDETERMINED}, reverse=True), CONFORMANT]
    claim = next((claim for claim in order if claim in claims), UNDETERMINED)
    if claim != NOT_CONFORMANT and not (run.is_complete and run.header["selection"]["complete"]):
        claim = UNDETERMINED  # of the parts that were not asked nothing is known
    badge = {"schemaVersion": 1, "label": "pmproof", "message": claim, "color": _COLORS.get(claim, "green")}
    return json.dumps(badge) + "\n"
