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


@pytest.mark.parametrize("number", SIGNALS)
def test_what_has_to_be_done_as_a_whole_is_done_before_the_end(number: signal.Signals) -> None:
    done = []
    with raising() as delay:
        with pytest.raises(Ended) as raised:
            with delay.until_done():
                os.kill(os.getpid(), number)
                os.kill(os.getpid(), signal.SIGTERM)  # ignored, as any after the first
                done.append("a half")
                done.append("the other half")
            done.append("what comes after it")
        assert raised.value.name == number.name
    assert done == ["a half", "the other half"]


def test_what_has_to_be_done_as_a_whole_and_fails_says_so() -> None:
    with raising() as delay:
        with pytest.raises(OSError, match="no space"), delay.until_done():
            raise OSError("no space")
        with delay.until_done():
            pass
