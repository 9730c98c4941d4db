import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { experimentLines } from '../../src/experiments/experiment-file.ts';
import { importExperiments } from '../../src/experiments/import.ts';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles } from '../../src/interchange/exporter.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { importFeeds } from '../../src/interchange/import-feeds.ts';
import { importFiles } from '../../src/interchange/importer.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { jsonl, readFiles, withFolder } from '../interchange/support.ts';
import { type Lab, openLab, totalsOf } from './support.ts';

async function exportTo({ server }: Lab, folder: string): Promise<void> {
  const target = new ExportFolder(folder, { force: false, gzip: false });
  const now = () => server.clock.now();
  await exportFiles(server.service.store, target, undefined, {
    experimentsOf: (data) => experimentLines({ ...data, now }),
  });
  target.finish();
}

/** Imports the files of a folder. @returns the printed lines and the numbers of lines about experiments */
async function importFrom({ server: { service } }: Lab, folder: string) {
  const printed: string[] = [];
  const log = new ImportLog(false, (line) => printed.push(line));
  const found = readFolder(folder);
  const target = { ...service, actor: 'cli:test' };
  if (found.files.length > 0) await importFiles(service, found, log, () => {});
  await importFeeds(target, found.feed_files, log);
  await service.saved_feeds.keepUp();
  const { files } = await importExperiments(target, found.experiment_files, log);
  const [{ accepted, unchanged, rejected }] = files;
  return { printed, accepted, unchanged, rejected };
}

describe('an export with experiments', () => {
  test('keeps experiments, their results and the variants of viewers in another service', () =>
    withFolder({}, async (folder) => {
      await using lab = await openLab();
      await lab.items(4);
      const { left, right } = await lab.feeds();
      const id = await lab.start(left, right);
      const stopped = await lab.start(right, left, {
        method: 'interleaving',
        variants: [
          { name: 'right', feed_id: right },
          { name: 'left', feed_id: left },
        ],
      });
      const percents = [
        [20, 20],
        [20, 70],
        [30, 60],
      ];
      for (const [control, other] of percents)
        await lab.change(id, {
          variants: [
            { name: 'control', percent: control },
            { name: 'other', percent: other },
          ],
        });
      await lab.account.set(right, { name: 'Changed' });
      const viewers = Array.from({ length: 30 }, (_, at) => `viewer-${at}`);
      for (const user_id of viewers) {
        for (const feed_id of [left, right])
          await lab.page('popular', { feed_id, user_id, top_k: 2, impression_count: 2 });
        await lab.act(user_id, 'like', 'left-0');
      }
      await lab.change(stopped, { status: 'stopped' });
      const { comparison, sample_ratio, ...before } = (await lab.data(id)).results;
      const ended = (await lab.data(stopped)).results;
      await exportTo(lab, join(folder, 'out'));

      await using other = await openLab();
      const first = await importFrom(other, join(folder, 'out'));
      expect(first).toEqual({ printed: [], accepted: 2, unchanged: 0, rejected: 0 });
      const { status, period, ended_periods, results } = await other.data(id);
      expect({ status, period }).toEqual({ status: 'running', period: 2 });
      expect(totalsOf(ended_periods[0])).toEqual(totalsOf(before));
      expect(ended_periods[0]).toMatchObject({ comparison, sample_ratio });
      expect((await other.data(id)).pinned).toEqual({ [left]: 1, [right]: 2 });
      expect(results.variants.map(({ viewers: count }: { viewers: number }) => count)).toEqual([0, 0]);
      expect((await other.data(stopped)).results).toEqual(ended);
      for (const user_id of viewers) {
        const [here, there] = await Promise.all(
          [lab, other].map((each) => each.ask('popular', { feed_id: left, user_id })),
        );
        expect(there.body.experiment).toEqual(here.body.experiment);
      }
      const again = await importFrom(other, join(folder, 'out'));
      expect(again).toMatchObject({ accepted: 2, unchanged: 2, rejected: 0 });
    }));

  test('bad lines of experiments.jsonl are refused with their reason, and the others stay', () =>
    withFolder({}, async (folder) => {
      await using lab = await openLab();
      const { left, right } = await lab.feeds();
      await lab.start(left, right);
      await exportTo(lab, join(folder, 'out'));
      const sound = JSON.parse(readFiles(join(folder, 'out'))['experiments.jsonl']);
      const line = (fields: object) => ({ ...sound, ...fields });
      const [control, treatment] = sound.variants;
      const lines = [
        line({ experiment_id: 'exp_0' }),
        line({ experiment_id: 'exp_2', metric: 'clicks' }),
        line({ experiment_id: 'exp_2', variants: [control, { ...treatment, percent: 60 }] }),
        line({ experiment_id: 'exp_2', ended: [{ period: 1 }] }),
        line({ account: 'other' }),
        line({ experiment_id: 'exp_3', feed_id: left }),
        line({ experiment_id: 'exp_7', feed_id: right }),
      ];
      await withFolder({ 'experiments.jsonl': jsonl(lines) }, async (bad) => {
        const { printed, ...counts } = await importFrom(lab, bad);
        expect(counts).toEqual({ accepted: 1, unchanged: 0, rejected: 6 });
        const reasons = ['experiment_id', 'metric', 'percents', 'ended', 'another account', 'exp_1 runs'];
        for (const [at, reason] of reasons.entries()) expect(printed[at]).toContain(reason);
      });
      expect((await lab.data('exp_7')).status).toBe('running');
      expect(await lab.start((await lab.feeds()).left, left)).toBe('exp_8');
    }));
});
