import { emitProblem, isCountedAgain } from '../../plugin/connector.ts';
import type { ConnectorHost, ConnectorRecord, Integration, Metadata } from '../../plugin/index.ts';
import type { IntegrationMember } from '../../plugin/integration.ts';
import { metadataProblem } from '../../plugin/metadata-problem.ts';
import { textOf } from '../../plugin/text-of.ts';
import { expectSame, isExpectedError } from '../expectations.ts';
import { checkTaken } from '../history.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith, optionsToTry } from '../options.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { frozen } from '../traps.ts';
import type { Invariant } from '../trials.ts';
import { checkConnector, runToFailure } from './connector-runs.ts';

type Provide = (item_ids: readonly string[]) => Promise<(Metadata | Error)[]>;
type Connect = (host: ConnectorHost) => Promise<void>;
type MapDelivery = (delivery: unknown) => readonly ConnectorRecord[];

/** Identifiers of a token, of an NFT, and of an item that cannot exist. */
const SAMPLE_IDS = [
  `base.0x${'1'.repeat(40)}`,
  `base.0x${'2'.repeat(40)}.7`,
  `base.0x${'0'.repeat(39)}f.${'9'.repeat(60)}`,
];

/** A connector without a source is not run: only `connect` is called, which must not connect. */
export const integrations: KindTests<'integrations'> = {
  invariants(subject, id) {
    const registered = subject.extension('integrations', id);
    const compiles: Invariant = {
      name: 'makes a function of its options, and does not change them',
      run() {
        for (const options of optionsToTry(registered))
          for (const member of ['connect', 'receive'] as const)
            if (registered.extension[member] !== undefined) compiled(subject, id, member, options);
      },
    };
    const describes: Invariant = {
      name: 'returns one entry per identifier, in order, {} if unknown',
      async run() {
        const provide = compiled<Provide>(subject, id, 'describe', undefined);
        for (const ids of [[], SAMPLE_IDS, SAMPLE_IDS.toReversed()]) {
          checkMetadata(ids, await provide(frozen([...ids])));
        }
      },
    };
    return [compiles, ...(registered.extension.describe === undefined ? [] : [describes])];
  },
  async run(subject, id, given) {
    const { options } = given;
    if ('open' in given) {
      const connect = (options: unknown) => compiled<Connect>(subject, id, 'connect', options);
      const { expect } = given;
      if (isExpectedError(expect)) await runToFailure(connect, given);
      else await checkConnector(connect, { ...given, expect });
    } else if ('delivery' in given) {
      // Mapped twice, as senders repeat deliveries.
      const map = compiled<MapDelivery>(subject, id, 'receive', options);
      const mapped = () => map(frozen(structuredClone(given.delivery)));
      const first = mapped();
      for (const again of [first, mapped()]) expectSame(again, given.expect);
      checkRecords(first);
    } else {
      expectSame(await compiled<Provide>(subject, id, 'describe', options)(given.item_ids), given.expect);
    }
  },
};

/** One member of an integration, with its options. @throws Error if it has no such member */
function compiled<R>(subject: PluginUnderTest, id: string, member: IntegrationMember, options: unknown): R {
  const registered = subject.extension('integrations', id);
  const own: Pick<Integration, IntegrationMember> = { [member]: registered.extension[member] };
  if (own[member] === undefined) throw new Error(`'${id}' has no ${member}`);
  return compiledWith<R>({ ...registered, extension: own }, options);
}

/** @throws Error unless there is one plain object or error per identifier */
function checkMetadata(ids: readonly string[], given: unknown): void {
  if (!Array.isArray(given)) throw new Error(`it returns ${textOf(given)}, which is not a list`);
  if (given.length !== ids.length) throw new Error(`${given.length} answers for ${ids.length} identifiers`);
  for (const [index, each] of given.entries()) {
    if (each instanceof Error) continue;
    const problem = metadataProblem(each);
    if (problem !== undefined)
      throw new Error(`the entry for ${ids[index]} is not valid metadata: ${problem}`);
    if (!Bun.deepEquals(each, JSON.parse(JSON.stringify(each))))
      throw new Error(`the entry for ${ids[index]} is not a plain JSON object`);
  }
}

function checkRecords(records: readonly ConnectorRecord[]): void {
  const problem = emitProblem(records, 'a delivery');
  if (problem !== undefined) throw new Error(problem);
  checkTaken(records);
  const act = records.find(isCountedAgain);
  if (act === undefined) return;
  throw new Error(`a repeated act would count twice; give it a timestamp or an event_id: ${textOf(act)}`);
}
