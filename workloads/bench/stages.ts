import type { Bench } from './context.ts';
import { withCpuMs } from './cpu-time.ts';
import { type Totals, totalsOf } from './totals.ts';

const STAGE = /^feedloom_stage_seconds_total\{community="content",stage="(\w+)"\}$/;
const SOURCE =
  /^feedloom_plugin_seconds_total\{community="content",kind="candidate_sources",plugin="([^"]+)"\}$/;
const PAGES = 'feedloom_pages_total{community="content",feed_type="for-you"}';

/**
 * Adds a note on the time of a for-you request under full load.
 *
 * The service measures its stages. The rest of its CPU time is HTTP, the key, validation, JSON, recording
 * impressions, garbage collection and background work. If the system does not report CPU time, the rest of the
 * elapsed time is shown.
 */
export async function noteStages({
  world,
  progress,
  results,
  driver,
  viewers,
  service,
}: Bench): Promise<void> {
  progress.begin('where the time of a request goes', 1);
  const before = await totalsOf(service.address);
  const drive = () => driver.full(2 * world.effort.turn_ms, viewers.shown('for-you'));
  const [{ per_s, requests }, cpu_ms] = await withCpuMs(service.pid, drive);
  const after = await totalsOf(service.address);
  const spent = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const pages = spent(PAGES);
  const whole_us = cpu_ms === undefined ? 1e6 / per_s : (1000 * cpu_ms) / requests;
  const lines: [string, string][] = [];
  let known_us = 0;
  for (const name of after.keys()) {
    const stage = STAGE.exec(name)?.[1];
    if (stage === undefined) continue;
    const us = (spent(name) / pages) * 1e6;
    known_us += us;
    lines.push(line(stage, us, whole_us));
    if (stage === 'candidates') lines.push(...sourceLines(after, spent, pages, whole_us));
  }
  lines.push(line('everything else', whole_us - known_us, whole_us), line('together', whole_us, whole_us));
  results.note('where the time of a for-you request goes', lines);
}

function sourceLines(
  after: Totals,
  spent: (name: string) => number,
  pages: number,
  whole_us: number,
): [string, string][] {
  return [...after.keys()].flatMap((name) => {
    const source = SOURCE.exec(name)?.[1];
    return source === undefined ? [] : [line(`  source ${source}`, (spent(name) / pages) * 1e6, whole_us)];
  });
}

function line(part: string, us: number, whole_us: number): [string, string] {
  return [part, `${us.toFixed(1)} µs  ${((100 * us) / whole_us).toFixed(0).padStart(3)} %`];
}
