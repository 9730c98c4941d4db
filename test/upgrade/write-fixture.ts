import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillingCalls, pageCalls } from './community.ts';
import { pagesOf, serve } from './service.ts';

/**
 * Writes the fixture of a version: `bun test/upgrade/write-fixture.ts NAME PROGRAM...`, where PROGRAM starts that
 * version, such as `../feedloom-0.1.0/dist/feedloom`.
 */
const [name, ...program] = process.argv.slice(2);
if (name === undefined || program.length === 0) {
  console.error('Usage: bun test/upgrade/write-fixture.ts NAME PROGRAM...');
  process.exit(2);
}
const data = mkdtempSync(join(tmpdir(), 'feedloom-fixture-'));
const service = await serve(program, data);
for (const call of fillingCalls()) await service.call(call);
await service.stop();
const again = await serve(program, data);
const pages = await pagesOf(again, pageCalls());
await again.stop();
const folder = join(import.meta.dir, 'fixtures', name);
for (const file of ['feedloom.sqlite', 'feedloom-wallets.sqlite'])
  await Bun.write(`${folder}/${file}.gz`, Bun.gzipSync(readFileSync(join(data, file)), { level: 9 }));
writeFileSync(join(folder, 'pages.json'), `${JSON.stringify(pages, null, 1)}\n`);
rmSync(data, { recursive: true });
