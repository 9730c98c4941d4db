import type { Metadata } from '../../plugin/index.ts';
import { metadataProblem } from '../../plugin/metadata-problem.ts';
import { textOf } from '../../plugin/text-of.ts';
import { expectSame } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith } from '../options.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { frozen } from '../traps.ts';

type Provide = (item_ids: readonly string[]) => Promise<(Metadata | Error)[]>;

/** Identifiers of a token, of an NFT, and of an item that cannot exist. */
const SAMPLE_IDS = [
  `base.0x${'1'.repeat(40)}`,
  `base.0x${'2'.repeat(40)}.7`,
  `base.0x${'0'.repeat(39)}f.${'9'.repeat(60)}`,
];

export const metadata_providers: KindTests<'metadata_providers'> = {
  invariants: (subject, id) => [
    {
      name: 'returns one entry per identifier, in order, {} if unknown',
      async run() {
        const provide = providing(subject, id, undefined);
        for (const ids of [[], SAMPLE_IDS, SAMPLE_IDS.toReversed()]) {
          checkMetadata(ids, await provide(frozen([...ids])));
        }
      },
    },
  ],
  async run(subject, id, given) {
    expectSame(await providing(subject, id, given.options)(given.item_ids), given.expect);
  },
};

function providing(subject: PluginUnderTest, id: string, options: unknown): Provide {
  return compiledWith<Provide>(subject.extension('metadata_providers', id), options);
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
