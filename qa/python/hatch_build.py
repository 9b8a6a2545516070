# SPDX-License-Identifier: Apache-2.0
"""Puts the program into the wheel, if qa/dist/build says where it is; then the wheel is for its machine only."""

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: "dict[str, Any]") -> None:
        folder = os.environ.get("PMPROOF_WHEEL_FOLDER")
        if folder:
            build_data["pure_python"] = False
            build_data["tag"] = os.environ["PMPROOF_WHEEL_TAG"]
            build_data["force_include"][folder] = "pmproof/bin"
