import { test, expect } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '/work/main/src/clock.ts';
import { openTestService, START } from '/work/main/test/support/service.ts';
import { allPages, Contention } from '/work/main/test/simulation/support/contention.ts';
const from = Number(process.env.FROM), to = Number(process.env.TO);
test('loop', async () => {
  let bad = 0, nonempty = 0, total = 0;
  for (let seed = from; seed < to; seed++) {
    const data = mkdtempSync(join(tmpdir(), 'loop-'));
    const clock = new ManualClock(START);
    const o = await openTestService({ data, clock });
    await new Contention(o.service, clock, seededRandom(seed)).run(60);
    const live = await allPages(o.service);
    for (const p of live.values()) { total++; if (p !== '[]') nonempty++; }
    cpSync(data, data + 'c', { recursive: true });
    await o.close();
    for (const d of [data + 'c', data]) {
      const o2 = await openTestService({ data: d, clock });
      const again = await allPages(o2.service);
      await o2.close();
      for (const [k, v] of live) if (again.get(k) !== v) { bad++; console.log(seed, d.endsWith('c') ? 'crash' : 'stop', k, '\n', v.slice(0, 300), '\n', again.get(k)!.slice(0, 300)); break; }
      rmSync(d, { recursive: true });
    }
  }
  console.log({ bad, nonempty, total });
}, 600000);
