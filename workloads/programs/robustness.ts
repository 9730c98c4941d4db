/**
 * How far the default constants carry: the feeds on thinner and denser cuts of the same data, beside a plain walk
 * without tuning and beside the popular items. Recall@20 and NDCG@20 of a seeded sample of users per cut, so
 * one run takes some minutes. Run: `bun workloads/programs/robustness.ts --data DIR [--users 2000]`. DIR holds the folders
 * gowalla, lastfm and cascades, each with interchange files; gowalla and lastfm also have `test.csv.gz`.
 */

import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Means, type PageWorth, pageWorth } from '../../src/evaluate/metrics.ts';
import { PlainWalk } from './plain-walk.ts';
import { type Cut, cutsOf, indexOf, type Pair, questionsOf, readActs, readSplit } from './robustness-cuts.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');
const TOP_K = 20;
const INTEREST = 'user_interest_all_v0.0.1';
const BALANCED = 'balanced_feed_v0.0.1';
const HEADER = 'user_id,item_id,event_type,timestamp\n';
/** All acts have the same time, as in the data. */
const TIME = 1_262_304_000;
/** The share of a replay's acts after which pages are evaluated, and the acts that a user needs before. */
const FROM_SHARE = 0.7;
const EARLIER_ACTS_MIN = 2;

interface Figures {
  users: number;
  recall: number;
  ndcg: number;
}

interface Line {
  name: string;
  acts: number;
  feedloom: Figures;
  plain: Figures;
  popular: Figures;
}

const { values } = parseArgs({
  options: { data: { type: 'string' }, users: { type: 'string', default: '2000' } },
});
const users = Number(values.users);
if (values.data === undefined || !Number.isInteger(users) || users < 1) {
  throw new Error(
    'usage: bun workloads/programs/robustness.ts --data DIR [--users 2000], with at least 1 user',
  );
}
const data = values.data;
for (const name of ['gowalla', 'lastfm', 'cascades']) {
  if (!existsSync(join(data, name))) throw new Error(`there is no folder '${name}' in '${data}'`);
}

const HEADING = ['cut', 'acts', 'pages', 'feedloom', 'plain walk', 'popular'];
console.log(tableLine(HEADING));
const scratch = mkdtempSync(join(tmpdir(), 'feedloom-robustness-'));
try {
  const gowalla = cutsOf(readSplit(join(data, 'gowalla')));
  for (const cut of gowalla) await holdout({ ...cut, name: `gowalla, ${cut.name}` }, INTEREST);
  const lastfm = { name: 'lastfm', ...readSplit(join(data, 'lastfm')) };
  const follows = join(data, 'lastfm', 'follows.csv.gz');
  await holdout({ ...lastfm, name: `lastfm, ${INTEREST}` }, INTEREST, follows);
  await holdout({ ...lastfm, name: `lastfm, ${BALANCED}` }, BALANCED, follows);
  await replay('cascades, replay', join(data, 'cascades'), BALANCED);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Evaluates a cut and prints its line. */
async function holdout(cut: Cut, scoring: string, follows?: string): Promise<void> {
  const questions = questionsOf(cut, users);
  const folder = mkdtempSync(join(scratch, 'cut-'));
  const test = join(folder, 'test.csv');
  writeFileSync(join(folder, 'interactions.csv'), HEADER + cut.train.map(lineOf).join(''));
  const held_out = Array.from(questions, ([user, items]) => Array.from(items, (item): Pair => [user, item]));
  writeFileSync(test, HEADER + held_out.flat().map(lineOf).join(''));
  if (follows !== undefined) cpSync(follows, join(folder, 'follows.csv.gz'));
  const plain = new PlainWalk();
  for (const [user, item] of cut.train) plain.add(user, item);
  const means = new Means<PageWorth>();
  for (const [user, items] of questions) means.add(pageWorth(plain.page(user, TOP_K), items, TOP_K));
  const args = ['holdout', '--data', folder, '--test', test, '--scoring', scoring];
  print({ name: cut.name, acts: cut.train.length, plain: figuresOf(means), ...(await evaluate(args)) });
  rmSync(folder, { recursive: true });
}

/** Replays a folder and prints its line. Recall of a page's only target is the hit rate. */
async function replay(name: string, folder: string, scoring: string): Promise<void> {
  const acts = readActs(join(folder, 'interactions.csv.gz'));
  acts.sort((one, other) => one.timestamp - other.timestamp);
  const user_indexes = new Map<string, number>();
  const item_indexes = new Map<string, number>();
  const plain = new PlainWalk();
  const earlier = new Map<number, number>();
  const means = new Means<PageWorth>();
  for (const [index, { user_id, item_id }] of acts.entries()) {
    const user = indexOf(user_indexes, user_id);
    const item = indexOf(item_indexes, item_id);
    const before = earlier.get(user) ?? 0;
    earlier.set(user, before + 1);
    const asked = index >= Math.floor(acts.length * FROM_SHARE) && before >= EARLIER_ACTS_MIN;
    if (asked && !plain.has(user, item)) {
      means.add(pageWorth(plain.page(user, TOP_K), new Set([item]), TOP_K));
    }
    plain.add(user, item);
  }
  const args = ['replay', '--data', folder, '--from-share', String(FROM_SHARE), '--scoring', scoring];
  print({ name, acts: acts.length, plain: figuresOf(means), ...(await evaluate(args)) });
}

/** Runs `feedloom evaluate` and returns the figures of the scoring function and of the popular items. */
async function evaluate(args: string[]): Promise<Pick<Line, 'feedloom' | 'popular'>> {
  const command = [process.execPath, MAIN, 'evaluate', ...args, '--json'];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`feedloom evaluate ${args.join(' ')} failed: ${errors}`);
  const { rows } = JSON.parse(out) as { rows: (Figures & { name: string; hit_rate: number })[] };
  const figures = rows.map((row) => ({ ...row, recall: row.recall ?? row.hit_rate }));
  return { feedloom: figures[0], popular: figures.find(({ name }) => name === 'popular')! };
}

function figuresOf(means: Means<PageWorth>): Figures {
  return { users: means.count, recall: means.mean('recall'), ndcg: means.mean('ndcg') };
}

function lineOf([user, item]: Pair): string {
  return `u${user},i${item},like,${TIME}\n`;
}

function print({ name, acts, feedloom, plain, popular }: Line): void {
  const figures = [feedloom, plain, popular].map(
    ({ recall, ndcg }) => `${recall.toFixed(4)} / ${ndcg.toFixed(4)}`,
  );
  console.log(tableLine([name, String(acts), String(plain.users), ...figures]));
}

function tableLine([name, ...cells]: string[]): string {
  return [name.padEnd(44), ...cells.map((cell, column) => cell.padStart(column < 2 ? 8 : 17))].join('');
}
