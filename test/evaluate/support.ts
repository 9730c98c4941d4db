import { join } from 'node:path';
import { readTimeline, type Timeline } from '../../src/evaluate/timeline.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { run } from '../cli/run.ts';
import { type Files, jsonl, withFolder, writeFiles } from '../interchange/support.ts';

/** Start of the planted data, seconds. */
export const START = 1_700_000_000;
/** After all planted data, except what a test dates in the future, seconds. */
export const PRESENT = 1_760_000_000;

/** An act in a file: user, item, seconds after the start, and type (default like). */
export type PlantedAct = [user: string, item: string, after: number, event_type?: string, action?: string];

export function actsCsv(acts: Iterable<PlantedAct>): string {
  let text = 'user_id,item_id,event_type,timestamp,action\n';
  for (const [user, item, after, event_type = 'like', action = 'add'] of acts)
    text += `${user},${item},${event_type},${START + after},${action}\n`;
  return text;
}

export function countsCsv(counts: Iterable<[item: string, after: number, likes: number]>): string {
  let text = 'item_id,timestamp,likes_count,comments_count,shares_count\n';
  for (const [item, after, likes] of counts) text += `${item},${START + after},${likes},0,0\n`;
  return text;
}

export function itemsJsonl(items: Iterable<[item: string, after: number]>): string {
  return jsonl(
    [...items].map(([item_id, after]) => ({ item_id, author_id: 'w', created_at: START + after })),
  );
}

/** The timeline of some files. */
export function timelineOf(files: Files): Promise<Timeline> {
  return withFolder(files, (folder) =>
    readTimeline(readFolder(folder).files, new ImportLog(false, () => {})),
  );
}

/** One line of `feedloom evaluate --json`. */
export interface JsonRow {
  name: string;
  baseline: boolean;
  users?: number;
  recall?: number;
  ndcg: number;
  hit_rate?: number;
  mrr?: number;
  precision?: number;
  auc?: number;
  auc_ci?: [number, number];
  log_loss?: number;
  versus?: number;
  versus_ci?: [number, number];
  coverage?: number;
  p50_us?: number;
  p99_us?: number;
  recall_ci?: [number, number];
  hit_rate_ci?: [number, number];
  ndcg_ci?: [number, number];
}

export interface Evaluated {
  protocol: string;
  data: string;
  top_k: number;
  rows: JsonRow[];
  verdict: string;
  /** The row with this name. */
  row(name: string): JsonRow;
  /** The whole output without durations. */
  untimed: string;
  stderr: string;
}

/** Runs `feedloom evaluate … --json` on a folder with these files; `{}` in an argument is the folder. */
export function evaluated(files: Files, ...args: string[]): Promise<Evaluated> {
  return withFolder({}, async (folder) => {
    writeFiles(join(folder, 'data'), files);
    const given = args.map((arg) => arg.replace('{}', join(folder, 'data')));
    const { code, stdout, stderr } = await run(
      'evaluate',
      ...given,
      '--data',
      join(folder, 'data'),
      '--json',
    );
    if (code !== 0) throw new Error(`evaluate ended with ${code}: ${stderr}`);
    const answer: Omit<Evaluated, 'row' | 'untimed' | 'stderr'> = JSON.parse(stdout);
    const row = (name: string): JsonRow => {
      const found = answer.rows.find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no row '${name}' in ${stdout}`);
      return found;
    };
    const untimed = stdout.replace(/"p\d\d_us":\d+/g, '').replaceAll(folder, '');
    return { ...answer, row, untimed, stderr };
  });
}
