import { Registry } from 'prom-client';
import type { Member } from '../../processes/member.ts';
import type { Host } from '../host.ts';
import { type MetricTable, register } from './table.ts';

/** Where a process sends its own metrics to the others. */
export const METRICS_PATH = '/internal/metrics';

/** How long to wait for the metrics of another process. */
const PATIENCE_MS = 2_000;

/** What no process knows of itself. */
const SUPERVISOR: MetricTable<{ member: Member; answers: readonly { process: number; text?: string }[] }> = {
  feedloom_process_up: [
    'Whether a process answered when its metrics were asked for.',
    ({ answers }) => answers.map(({ process, text }) => [process, Number(text !== undefined)]),
    'process',
  ],
  feedloom_process_starts_total: [
    'How often a process was started.',
    ({ member }) => member.processes.map(({ process, starts }) => [process, starts]),
    'process',
  ],
  feedloom_supervisor_log_lines_lost_total: [
    'Log lines of all processes that could not be written.',
    ({ member }) => member.log_lines_lost,
  ],
};

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
  const registry = new Registry();
  register(registry, SUPERVISOR, () => ({ member, answers }));
  return joined([...answers, { process: undefined, text: await registry.metrics() }]);
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
