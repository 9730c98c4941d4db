/**
 * Made-up readers with taste, fatigue and drift against the service over HTTP: a feed that learns from what was shown
 * beside an equal one with the default scoring function.
 *
 * `bun workloads/programs/learned-feeds.ts twins [SEED …]`: 400 readers, 50,000 shown items. Prints acts a page, by tenths
 * of the run, and what the best possible pages would get: those of someone who knows the readers.
 *
 * `bun workloads/programs/learned-feeds.ts harm [SEED …]`: 8,000 readers, 60,000 pages. A signal of a plugin predicts acts,
 * and from the middle on the opposite, after an operator has frozen the model, so that it cannot unlearn it. Prints what
 * that costs until the feed falls back.
 */

import { join } from 'node:path';
import { signalOf } from '../../src/learner/features.ts';
import { API_KEY } from '../../test/support/service.ts';
import { PLANTED } from '../readers/planted-plugin.ts';
import { type Part, type Running, run } from './reader-run.ts';

const START = 1_767_225_600;
const DEFAULT = 'balanced_feed_v0.0.1';
const LEARNED = 'learned_v0.0.1';
const PLANTED_PLUGIN = join(import.meta.dir, '../readers/planted-plugin.ts');
/** The signal is a feature of 0 for this logit of an act, and of 1 for `LOGIT_MAX`. */
const LOGIT_MIN = -6;
const LOGIT_MAX = 2;

const TWINS = {
  ...{ readers: 400, first_items: 900, items_per_day: 180, start: START, days: 5, former_acts: 12 },
  ...{ pages: 5_000, page_items: 10 },
};
const HARM = { ...TWINS, readers: 8_000, pages: 60_000, days: 10, plugins: PLANTED_PLUGIN };

/** Acts a page. */
function rate(parts: readonly Part[], of: 'acts' | 'expected'): number {
  return sum(parts, (part) => part[of]) / sum(parts, ({ pages }) => pages);
}

function row(name: string, cells: readonly number[], digits = 2): void {
  console.log(`  ${name.padEnd(24)}${cells.map((cell) => cell.toFixed(digits).padStart(7)).join('')}`);
}

function sum(parts: readonly Part[], of: (part: Part) => number): number {
  return parts.reduce((total, part) => total + of(part), 0);
}

async function twins(seed: number): Promise<void> {
  const common = { ...TWINS, seed };
  const plain = await run({ ...common, scoring: DEFAULT });
  const learned = await run({ ...common, scoring: LEARNED });
  console.log(`${TWINS.readers} readers, ${TWINS.pages * TWINS.page_items} shown items, seed ${seed}`);
  row(
    'tenth of the run',
    [...plain.keys()].map((at) => at + 1),
    0,
  );
  row(
    'default',
    plain.map((part) => rate([part], 'expected')),
  );
  row(
    'learned',
    learned.map((part) => rate([part], 'expected')),
  );
  row(
    'best possible, learned',
    learned.map(({ best, best_pages }) => best / best_pages),
  );
  for (const [name, from] of [
    ['all pages', 0],
    ['the last third', 7],
  ] as const) {
    const [one, other] = [plain.slice(from), learned.slice(from)];
    const lift = (of: 'acts' | 'expected') => 100 * (rate(other, of) / rate(one, of) - 1);
    console.log(
      `  ${name}: expected acts a page ${rate(one, 'expected').toFixed(3)} → ${rate(other, 'expected').toFixed(3)} ` +
        `(${lift('expected').toFixed(1)} %), acts ${lift('acts').toFixed(1)} %`,
    );
  }
}

/** Pages whose acts are counted, of viewers who get what was learnt, or of the control. */
interface Arm {
  pages: number;
  acts_per_page: number;
}

interface Status {
  status: string;
  learned: Arm;
  control: Arm;
}

async function harm(seed: number): Promise<void> {
  const middle = HARM.pages / 2;
  const seen: Status[] = [];
  let fell_back_at: number | undefined;
  const parts = await run({
    ...{ ...HARM, seed },
    scoring: { name: LEARNED, options: { signals: ['planted/oracle'] } },
    async onRound(page, running) {
      plant(page < middle, running);
      if (page === middle) await freeze(running);
      if (page < middle || fell_back_at !== undefined) return;
      const status = await statusOf(running);
      seen.push(status);
      if (status.status === 'fell_back') fell_back_at = page;
    },
  });
  const [before, last] = [seen[0], seen[seen.length - 1]];
  console.log(`${HARM.readers} readers, ${HARM.pages} pages, a lie from page ${middle} on, seed ${seed}`);
  row(
    'tenth of the run',
    parts.map((_, at) => at + 1),
    0,
  );
  row(
    'learned, then default',
    parts.map((part) => rate([part], 'expected')),
  );
  // What the pages of the lie lack, in comparison with those of the control.
  const acts = ({ pages, acts_per_page }: Arm) => pages * acts_per_page;
  const pages = last.learned.pages - before.learned.pages;
  const usual = last.control.acts_per_page;
  const lost = pages * usual - (acts(last.learned) - acts(before.learned));
  const cost = (100 * lost) / (HARM.pages * usual);
  console.log(
    `  acts a page: ${before.learned.acts_per_page.toFixed(2)} before the lie, control ${usual.toFixed(2)}; ` +
      `fell back at page ${fell_back_at ?? '(never)'}; cost ${cost.toFixed(2)} % of the acts of all pages`,
  );
}

async function freeze({ server, feed_id }: Running): Promise<void> {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const { status } = await server.call('PATCH', '/api/learning', { feed_id, action: 'freeze' }, headers);
  if (status !== 200) throw new Error(`the model was not frozen: ${status}`);
}

async function statusOf({ server, feed_id }: Running): Promise<Status> {
  return (await server.get(`/api/learning?feed_id=${feed_id}`)).body.data;
}

function plant(is_honest: boolean, { readers, server, time }: Running): void {
  const { users, items } = server.service.state;
  PLANTED.value = (user, item) => {
    const reader = Number(users.names.id(user).replace('reader-', ''));
    const chance = readers.chance(reader, readers.item(items.names.id(item)), time);
    const place = (Math.log(chance / (1 - chance)) - LOGIT_MIN) / (LOGIT_MAX - LOGIT_MIN);
    const feature = Math.min(1, Math.max(0, place));
    return signalOf(Math.round(255 * (is_honest ? feature : 1 - feature)));
  };
}

const kinds = { twins, harm };
const [kind = 'twins', ...seeds] = process.argv.slice(2);
if (!Object.hasOwn(kinds, kind)) throw new Error(`expected ${Object.keys(kinds).join(' or ')}; got ${kind}`);
for (const seed of seeds.length > 0 ? seeds.map(Number) : [1]) await kinds[kind as keyof typeof kinds](seed);
