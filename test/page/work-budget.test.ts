import { describe, expect, test } from 'bun:test';
import { ServiceError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { WorkBudget } from '../../src/page/page-so-far.ts';

const { request_budget_ms, request_units_free, request_plugins_ms, plugin_call_units } = LIMITS;

/** A budget, and the clock that it reads. */
function budget(): { work: WorkBudget; clock: { now_ms: number } } {
  const clock = { now_ms: 1_000 };
  return { work: new WorkBudget(() => clock.now_ms), clock };
}

const on = () => 'what it did';

describe('WorkBudget', () => {
  test('rejects a request with much work that took long, and names the work', () => {
    const { work, clock } = budget();
    work.spend(request_units_free, on);
    clock.now_ms += request_budget_ms + 1;
    let error: unknown;
    try {
      for (let unit = 0; unit < 2_000; unit++) work.spend(1, on);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 400, code: 'request_too_costly' });
    expect((error as ServiceError).detail).toContain(`${request_budget_ms + 1} ms`);
    expect((error as ServiceError).detail).toEndWith(': what it did');
  });

  test('accepts much work within the time limit, and little work on a busy machine', () => {
    const fast = budget();
    fast.work.spend(100 * request_units_free, on);
    fast.clock.now_ms += request_budget_ms;
    fast.work.spend(100 * request_units_free, on);
    const busy = budget();
    busy.clock.now_ms += 100 * request_budget_ms;
    for (let unit = 0; unit < request_units_free - 2_000; unit++) busy.work.spend(1, on);
  });

  test('rejects little work with calls of plugins that took very long', () => {
    const { work, clock } = budget();
    const calls = Math.ceil(2_000 / plugin_call_units);
    for (let call = 0; call < calls; call++) work.spendOnPlugins(1, 1, on);
    clock.now_ms += request_plugins_ms;
    for (let call = 0; call < calls; call++) work.spendOnPlugins(1, 1, on);
    clock.now_ms += 1;
    expect(() => {
      for (let call = 0; call < calls; call++) work.spendOnPlugins(1, 1, on);
    }).toThrow('request_too_costly');
  });
});
