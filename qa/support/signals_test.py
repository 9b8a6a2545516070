# SPDX-License-Identifier: Apache-2.0
import os
import signal

import pytest

from qa.support.signals import SIGNALS, Ended, raising


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_raises_and_later_ones_do_not_disturb(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with raising():
        with pytest.raises(Ended) as raised:
            os.kill(os.getpid(), number)
        assert (raised.value.name, raised.value.status) == (number.name, 128 + number)
        for other in SIGNALS:
            os.kill(os.getpid(), other)
    assert signal.getsignal(number) is before


def test_what_was_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with raising():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
