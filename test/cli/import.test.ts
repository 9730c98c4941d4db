import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { importFolder } from '../../src/cli/import.ts';
import { readSettings } from '../../src/settings.ts';
import { nft, wallet } from '../alpha/support.ts';
import { type Files, jsonl, readFiles, withFolder, writeFiles } from '../interchange/support.ts';
import { highestSeq } from '../simulation/support/audit.ts';
import { openTestService } from '../support/service.ts';
import { run, start } from './run.ts';

const HEADER = 'user_id,item_id,event_type,timestamp\n';
const FILES: Files = {
  'items.jsonl': jsonl([{ item_id: 'a', author_id: 'w', created_at: 1000 }]),
  'interactions.csv.gz': `${HEADER}u,a,like,2000\nu,a,love,2000\nu,b,view,3000\n`,
};
const FEED = {
  ...{ config_id: 'feed_3', account: 'default', name: 'Mine', description: '' },
  ...{ endpoint: 'casts/feed/popular', status: 'active', visibility: 'private', config: { top_k: 5 } },
  ...{ feed_image_url: '', short_name: null, revision: 4, created_at: 1000, updated_at: 2000 },
};

/** Runs `work` with a folder of files and another for data. */
function withFiles(files: Files, work: (folder: string, data: string) => Promise<void>): Promise<void> {
  return withFolder({}, async (both) => {
    writeFiles(join(both, 'files'), files);
    await work(join(both, 'files'), join(both, 'data'));
  });
}

describe('feedloom import', () => {
  test('an import reports each file, names ignored files, and exits with 0 despite bad lines', async () => {
    const files = { ...FILES, 'test.csv.gz': 'x', 'feeds.jsonl': `${jsonl([FEED])}{}\n` };
    await withFiles(files, async (folder, data) => {
      const { code, stdout, stderr } = await run('import', folder, '--data', data);
      expect(code).toBe(0);
      expect(stderr).toContain('ignored: test.csv.gz (not an interchange file)\n');
      expect(stderr).toContain('feeds.jsonl:2: config_id: is required; name: is required');
      expect(stderr).toContain('interactions.csv.gz:3: event_type: expected one of');
      expect(stdout).toContain('items.jsonl          1 accepted (0 unchanged), 0 rejected\n');
      expect(stdout).toContain('interactions.csv.gz  2 accepted (0 unchanged), 1 rejected\n');
      expect(stdout).toContain('feeds.jsonl          1 accepted (0 unchanged), 1 rejected\n');
      expect(stdout).toContain('1 item that nothing describes was made from interactions\n');
      expect(stdout).toMatch(/^6 records in [\d.]+ s \([\d,]+\/s\), 9 changes stored$/m);
    });
  });

  test('an import of data that is all stored already stores nothing, and neither does a start in between', async () => {
    await withFiles(FILES, async (folder, data) => {
      const settings = { ...readSettings({}), data };
      const progress = { show: () => {}, print: () => {}, end: () => {} };
      await importFolder(settings, folder, { strict: false, progress });
      const seq = highestSeq(data);
      for (let again = 0; again < 2; again++) {
        await importFolder(settings, folder, { strict: false, progress });
        await (await openTestService({ data })).close();
        expect(highestSeq(data)).toBe(seq);
      }
    });
  });

  test('an import reports the duration of wallets separately', async () => {
    const events = `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${nft(1, 1)},mint,1000\n`;
    await withFiles({ ...FILES, 'events.csv': events }, async (folder, data) => {
      let ms = 0;
      const progress = {
        show: () => {
          ms = 8_000;
        },
        print: () => {},
        end: () => {},
      };
      const options = { strict: false, progress, monotonicMs: () => ms };
      const told = await importFolder({ ...readSettings({}), data }, folder, options);
      expect(told.match(/^\d+ records? in [\d.]+ s/gm)).toEqual(['4 records in 8.0 s', '1 record in 0.0 s']);
    });
  });

  test('an import waits for a store whose queue holds one record at a time', async () => {
    const acts = Array.from({ length: 1_200 }, (_, at) => `u${at},a${at},like,${2000 + at}\n`);
    const mints = Array.from({ length: 1_200 }, (_, at) => `${wallet(at)},${nft(1, at)},mint,${1000 + at}\n`);
    const files = {
      'interactions.csv': HEADER + acts.join(''),
      'events.csv': `wallet_address,item_id,event_type,timestamp\n${mints.join('')}`,
    };
    await withFiles(files, async (folder, data) => {
      const settings = { ...readSettings({ FEEDLOOM_WRITE_QUEUE: '1' }), data };
      const progress = { show: () => {}, print: () => {}, end: () => {} };
      const told = await importFolder(settings, folder, { strict: false, progress });
      expect(told).toContain('interactions.csv  1,200 accepted (0 unchanged), 0 rejected\n');
      expect(told).toContain('events.csv  1,200 accepted (0 unchanged), 0 rejected\n');
    });
  });

  test('a second import changes nothing', async () => {
    await withFiles(FILES, async (folder, data) => {
      await run('import', folder, '--data', data);
      const { stdout } = await run('import', folder, '--data', data);
      expect(stdout).toContain('interactions.csv.gz  2 accepted (2 unchanged), 1 rejected\n');
      expect(stdout).toEndWith(', 0 changes stored\n');
    });
  });

  test('saved feeds can be imported alone, survive an export, and change nothing the second time', async () => {
    await withFiles({ 'feeds.jsonl.gz': jsonl([FEED]) }, async (folder, data) => {
      const first = await run('import', folder, '--data', data);
      expect(first.stdout).toStartWith('feeds.jsonl.gz  1 accepted (0 unchanged), 0 rejected\n1 record in ');
      expect(first.stdout).toEndWith(', 1 changes stored\n');
      const second = await run('import', folder, '--data', data);
      expect(second.stdout).toStartWith('feeds.jsonl.gz  1 accepted (1 unchanged), 0 rejected\n');
      expect(second.stdout).toEndWith(', 0 changes stored\n');
      const exported = await run('export', join(folder, 'again'), '--data', data);
      expect(exported.stdout).toBe('feeds.jsonl          1 record\n');
      expect(readFiles(join(folder, 'again'))).toEqual({ 'feeds.jsonl': jsonl([FEED]) });
    });
  });

  test('a strict import exits with 2 at the first bad line', async () => {
    await withFiles(FILES, async (folder, data) => {
      const { code, stdout, stderr } = await run('import', folder, '--data', data, '--strict');
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('feedloom: interactions.csv.gz:3: event_type: expected one of');
      expect(stderr).toContain('[bad_line]');
    });
  });

  test.each<[string, Files, string]>([
    ['without interchange files', { 'test.csv': 'x' }, 'there is no interchange file in'],
    [
      'with a file both plain and compressed',
      { 'items.jsonl': '', 'items.jsonl.gz': '' },
      'holds both items.jsonl and items.jsonl.gz',
    ],
  ])('an import refuses a folder %s', async (_what, files, message) => {
    await withFiles(files, async (folder, data) => {
      const { code, stderr } = await run('import', folder, '--data', data);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    });
  });

  test('an import refuses a folder that does not exist', async () => {
    await withFiles({}, async (folder, data) => {
      const { code, stderr } = await run('import', join(folder, 'none'), '--data', data);
      expect(code).toBe(2);
      expect(stderr).toContain('there is no folder');
    });
  });

  test('an import refuses data that a service is using, and names the service', async () => {
    await withFiles(FILES, async (folder, data) => {
      await using _ = await openTestService({ data });
      const { code, stderr } = await run('import', folder, '--data', data);
      expect(code).toBe(2);
      expect(stderr).toContain(`(pid ${process.pid})`);
    });
  });

  test('the next import completes one that was killed half-way', async () => {
    await withFiles(manyActs(30_000), async (folder, data) => {
      const child = start('import', folder, '--data', data);
      await until(child.stderr, ' % read');
      child.kill('SIGKILL');
      await child.exited;
      const part = await run('export', join(folder, 'part'), '--data', data);
      const completed = await run('import', folder, '--data', data);
      expect(completed.stdout).toContain('interactions.csv  30,000 accepted');
      expect(completed.stdout).not.toContain(' 0 changes stored');
      expect((await run('import', folder, '--data', data)).stdout).toContain(' 0 changes stored');
      await run('export', join(folder, 'killed'), '--data', data);
      await run('import', folder, '--data', join(folder, 'elsewhere'));
      await run('export', join(folder, 'whole'), '--data', join(folder, 'elsewhere'));
      expect(part.stdout).not.toContain('30,000');
      expect(readFiles(join(folder, 'killed'))).toEqual(readFiles(join(folder, 'whole')));
    });
  });
});

function manyActs(count: number): Files {
  let text = HEADER;
  for (let act = 0; act < count; act++) text += `u${act % 997},i${act % 1009},like,${1_700_000_000 + act}\n`;
  return { 'interactions.csv': text };
}

/** Reads a stream until it says something. */
async function until(stream: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const decoder = new TextDecoder();
  let said = '';
  for await (const chunk of stream) {
    said += decoder.decode(chunk, { stream: true });
    if (said.includes(text)) return;
  }
  throw new Error(`the stream ended without '${text}': ${said}`);
}
