"""Our Adam takes the steps of torch's, clips as torch does, and leaves weights alone otherwise."""

from __future__ import annotations

import pytest
import torch

from trainer.learning.adam import Adam


def parameters_of(seed: int) -> list[torch.nn.Parameter]:
    torch.manual_seed(seed)
    return [torch.nn.Parameter(torch.randn(7, 5)), torch.nn.Parameter(torch.randn(5))]


@pytest.mark.parametrize("clip_norm", [0.0, 0.5, 100.0])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_steps_equal_those_of_torch(clip_norm, decay):
    ours, theirs = parameters_of(1), parameters_of(1)
    adam = Adam([ours], 0.98, decay)
    reference = torch.optim.AdamW(theirs, lr=1e-2, betas=(0.9, 0.98), weight_decay=decay)
    for step in range(4):
        for a, b in zip(ours, theirs, strict=True):
            torch.manual_seed(step)
            a.grad = torch.randn_like(a)
            b.grad = a.grad.clone()
        if clip_norm:
            torch.nn.utils.clip_grad_norm_(theirs, clip_norm)
        reference.step()
        assert adam.step([1e-2], clip_norm)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-7)


def test_a_gradient_that_is_not_finite_changes_nothing():
    ours = parameters_of(2)
    adam = Adam([ours], 0.98, 0.0)
    before = [parameter.detach().clone() for parameter in ours]
    for parameter in ours:
        parameter.grad = torch.full_like(parameter, float("inf"))
    assert not adam.step([1e-2], 1.0)
    assert all(torch.equal(a, b) for a, b in zip(before, ours, strict=True))
    assert adam.num_steps == 0


def test_a_parameter_without_gradient_stays():
    ours = parameters_of(3)
    adam = Adam([ours], 0.98, 0.0)
    ours[0].grad = torch.ones_like(ours[0])
    before = ours[1].detach().clone()
    assert adam.step([1e-2], 0.0)
    assert torch.equal(before, ours[1])


def test_a_save_goes_on_bit_for_bit_and_one_of_torch_is_read():
    ours, theirs = parameters_of(4), parameters_of(4)
    adam, copy = Adam([ours], 0.98, 0.0), Adam([theirs], 0.98, 0.0)
    old = torch.optim.AdamW(parameters_of(4), lr=1e-2, betas=(0.9, 0.98))
    for parameter in (*ours, *old.param_groups[0]["params"]):
        parameter.grad = torch.ones_like(parameter)
    adam.step([1e-2], 0.0)
    old.step()
    copy.load({name: value.clone() for name, value in adam.state().items()})
    assert all(torch.equal(a, b) for a, b in zip(adam.means, copy.means, strict=True))
    assert copy.num_steps == 1
    saved = old.state_dict()["state"]
    copy.load({f"{n}.{name}": value for n, part in saved.items() for name, value in part.items()})
    assert copy.num_steps == 1
    for a, b in zip(adam.squares, copy.squares, strict=True):
        torch.testing.assert_close(a, b)


def test_each_group_takes_its_own_rate_and_all_are_clipped_together():
    ours, theirs = parameters_of(5), parameters_of(5)
    adam = Adam([ours[:1], ours[1:]], 0.98, 0.0)
    groups = [{"params": theirs[:1], "lr": 1e-2}, {"params": theirs[1:], "lr": 1e-3}]
    reference = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.0)
    for _ in range(3):
        for parameter in (*ours, *theirs):
            parameter.grad = torch.ones_like(parameter)
        torch.nn.utils.clip_grad_norm_(theirs, 0.5)
        reference.step()
        assert adam.step([1e-2, 1e-3], 0.5)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-7)
