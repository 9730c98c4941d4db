import { type ConnectorRecord, emitProblem, isCountedAgain } from '../../plugin/index.ts';
import { textOf } from '../../plugin/text-of.ts';
import { expectSame } from '../expectations.ts';
import { checkTaken } from '../history.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith, optionsToTry } from '../options.ts';
import { frozen } from '../traps.ts';

type MapDelivery = (delivery: unknown) => readonly ConnectorRecord[];

export const webhooks: KindTests<'webhooks'> = {
  invariants(subject, id) {
    const registered = subject.extension('webhooks', id);
    return [
      {
        name: 'makes a function of its options, and does not change them',
        run() {
          for (const options of optionsToTry(registered)) compiledWith(registered, options);
        },
      },
    ];
  },
  /** Maps a delivery twice, as senders repeat them, and compares the records. */
  run(subject, id, { options, delivery, expect }) {
    const map = compiledWith<MapDelivery>(subject.extension('webhooks', id), options);
    const mapped = () => map(frozen(structuredClone(delivery)));
    const first = mapped();
    for (const again of [first, mapped()]) expectSame(again, expect);
    checkRecords(first);
  },
};

function checkRecords(records: readonly ConnectorRecord[]): void {
  const problem = emitProblem(records, 'a delivery');
  if (problem !== undefined) throw new Error(problem);
  checkTaken(records);
  const act = records.find(isCountedAgain);
  if (act === undefined) return;
  throw new Error(`a repeated act would count twice; give it a timestamp or an event_id: ${textOf(act)}`);
}
