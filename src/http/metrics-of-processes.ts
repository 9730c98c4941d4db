import type { Member } from '../processes/member.ts';
import type { Host } from './host.ts';

/** Where a process sends its own metrics to the others. */
export const METRICS_PATH = '/internal/metrics';

/** How long to wait for the metrics of another process. */
const PATIENCE_MS = 2_000;

/** The metrics of all processes of the supervisor, each sample with the label `process`; or those of this one. */
export async function metricsOf(host: Host): Promise<string> {
  const { member } = host;
  if (member === undefined) return host.metrics.text();
  const { process: own } = member.membership;
  const asked = member.processes.map(async ({ process, node }) => {
    if (process === own) return { process, text: await host.metrics.text() };
    const text = node && host.cluster?.to_leader.textOf(node, METRICS_PATH, PATIENCE_MS);
    return { process, text: await text?.catch(() => undefined) };
  });
  const answers = await Promise.all(asked);
  const up = answers.map(({ process, text }): [number, number] => [process, text === undefined ? 0 : 1]);
  return joined([...answers, { process: undefined, text: textOfSupervisor(member, new Map(up)) }]);
}

/** What no process knows of itself. */
function textOfSupervisor({ processes, log_lines_lost }: Member, up: ReadonlyMap<number, number>): string {
  const each = (name: string, value: (seen: (typeof processes)[number]) => number) =>
    processes.map((seen) => `${name}{process="${seen.process}"} ${value(seen)}\n`).join('');
  return [
    '# HELP feedloom_process_up Whether a process answered when its metrics were asked for.\n',
    '# TYPE feedloom_process_up gauge\n',
    each('feedloom_process_up', ({ process }) => up.get(process) ?? 0),
    '\n# HELP feedloom_process_starts_total How often a process was started.\n',
    '# TYPE feedloom_process_starts_total counter\n',
    each('feedloom_process_starts_total', ({ starts }) => starts),
    '\n# HELP feedloom_supervisor_log_lines_lost_total Log lines of all processes that could not be written.\n',
    '# TYPE feedloom_supervisor_log_lines_lost_total counter\n',
    `feedloom_supervisor_log_lines_lost_total ${log_lines_lost}\n`,
  ].join('');
}

interface ProcessText {
  /** Undefined: the samples need no label. */
  process: number | undefined;
  text: string | undefined;
}

/** One text of several, in which each metric has one description. */
function joined(texts: readonly ProcessText[]): string {
  const samples_by_description = new Map<string, string[]>();
  for (const { process, text = '' } of texts) {
    let samples: string[] = [];
    let description = '';
    for (const line of text.split('\n')) {
      if (line.startsWith('# HELP')) description = line;
      else if (line.startsWith('#')) {
        const known = samples_by_description.get(description);
        samples = known ?? [description, line];
        if (known === undefined) samples_by_description.set(description, samples);
      } else if (line !== '') samples.push(process === undefined ? line : labelled(line, process));
    }
  }
  return [...samples_by_description.values()].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** `name{a="b"} 1` or `name 1` with the label of a process. */
function labelled(sample: string, process: number): string {
  return sample.replace(/^(\w+)(?:\{|(?= ))/, (found, name) =>
    found === name ? `${name}{process="${process}"}` : `${name}{process="${process}",`,
  );
}
