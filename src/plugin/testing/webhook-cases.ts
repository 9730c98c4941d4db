import { type ConnectorRecord, emitProblem, isCountedAgain } from '../connector.ts';
import { textOf } from '../text-of.ts';
import { signatureProblem, type Webhook } from '../webhook.ts';
import type { WebhookCase } from './case-types.ts';
import { checkedOptions, optionsToTry } from './options.ts';
import type { Invariant } from './subject.ts';
import { frozen } from './traps.ts';

export function webhookInvariants(extension: Webhook): Invariant[] {
  return [
    {
      name: 'has a valid signature',
      run: () => {
        const problem = signatureProblem(extension.signature);
        if (problem !== undefined) throw new Error(`the signature ${problem}`);
      },
    },
    {
      name: 'makes a function of its options, and does not change them',
      run: () => {
        for (const options of optionsToTry(extension.options)) {
          const map: unknown = extension.compile(frozen(options) as never);
          if (typeof map !== 'function')
            throw new Error(`compile returns ${textOf(map)}, which is not a function`);
        }
      },
    },
  ];
}

/** Maps a delivery twice, as senders repeat them, and compares the records. */
export function checkWebhook(webhook: Webhook, { options, delivery, records, fails }: WebhookCase): void {
  const map = webhook.compile(checkedOptions(webhook.options, options) as never);
  const mapped = () => map(frozen(structuredClone(delivery)));
  if (fails !== undefined) {
    expectFailure(mapped, fails);
    return;
  }
  const first = mapped();
  for (const again of [first, mapped()]) {
    if (!Bun.deepEquals(again, [...(records ?? [])]))
      throw new Error(`expected ${JSON.stringify(records ?? [])}, got ${JSON.stringify(again)}`);
  }
  checkRecords(first);
}

function checkRecords(records: readonly ConnectorRecord[]): void {
  const problem = emitProblem(records, 'a delivery');
  if (problem !== undefined) throw new Error(problem);
  const act = records.find(isCountedAgain);
  if (act === undefined) return;
  throw new Error(`a repeated act would count twice; give it a timestamp or an event_id: ${textOf(act)}`);
}

function expectFailure(run: () => unknown, text: string): void {
  let records: unknown;
  try {
    records = run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : textOf(error);
    if (reason.includes(text)) return;
    throw new Error(`expected a failure with '${text}', got '${reason}'`);
  }
  throw new Error(`expected a failure with '${text}', got ${JSON.stringify(records)}`);
}
