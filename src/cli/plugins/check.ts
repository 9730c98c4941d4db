import { relative } from 'node:path';
import { systemTimers, type Timers } from '../../clock.ts';
import { reasonOf, StartupError } from '../../errors.ts';
import { Kit } from '../../kit/kit.ts';
import type { OtherSignals } from '../../kit/other-signals.ts';
import type { Invariant } from '../../kit/trials.ts';
import type { Plugin, PluginLog } from '../../plugin/index.ts';
import { printable } from '../../printable.ts';
import { KINDS } from '../../registry/kinds.ts';
import { loadPlugins } from '../../registry/loader.ts';
import type { Registry } from '../../registry/registry.ts';
import { slowly } from '../../registry/slowly.ts';
import { print, printNotice } from '../output.ts';

/** Timeout of a check, for example for a `setup` that waits for a service which does not answer. */
const SECONDS_MAX = 60;

interface Tally {
  checks: number;
  failed: number;
  timers: Timers;
  /** Prints lines for the user. */
  print(lines: string): void;
}

export type CheckOptions = Partial<Pick<Tally, 'timers' | 'print'>>;

/**
 * `feedloom plugins check FILE…`: loads plugins like the service, sets them up, and checks the rules for each of their
 * extensions in small generated worlds.
 * @throws StartupError `plugin_check_failed`; the failures are printed
 */
export async function checkPlugins(
  registry: Registry,
  entries: readonly string[],
  { timers = systemTimers, print: printLine = print }: CheckOptions = {},
): Promise<void> {
  const tally: Tally = { checks: 0, failed: 0, timers, print: printLine };
  const watched = async (file: string, loading: Promise<void>) => {
    try {
      await untilLate(() => loading, relative('.', file), tally);
    } catch (error) {
      if (error instanceof StartupError) throw error;
      note(tally, `${relative('.', file)} can be loaded`, reasonOf(error));
    }
  };
  for (const { code, message, remedy } of await loadPlugins(registry, entries, false, { watched })) {
    note(tally, `refused [${code}]`, `${message}\n${remedy ?? ''}`);
  }
  for (const [file, plugin] of registry.plugins()) {
    printLine(printable(`${relative('.', file)} (${plugin.meta.name} ${plugin.meta.version})`));
    // Each plugin is checked alone, so only the declarations of other plugins' signals are known.
    await checkPlugin(plugin, (name) => registry.get('signals', name)?.extension, tally);
  }
  const { checks, failed } = tally;
  if (failed > 0) throw new StartupError('plugin_check_failed', `${failed} of ${checks} checks failed`);
  printLine(`${checks} checks passed`);
}

async function checkPlugin(plugin: Plugin, others: OtherSignals, tally: Tally): Promise<void> {
  const kit = new Kit(plugin, others, LOG);
  if (!(await holds({ name: 'can be set up', run: () => kit.setUp() }, tally))) return;
  for (const kind of KINDS) {
    for (const id of Object.keys(plugin[kind] ?? {})) {
      tally.print(`  ${id} (${kind})`);
      for (const invariant of kit.invariants(kind, id)) await holds(invariant, tally);
    }
  }
  await holds({ name: 'can be disposed of', run: () => kit.tearDown() }, tally);
}

async function holds({ name, run }: Invariant, tally: Tally): Promise<boolean> {
  try {
    await untilLate(async () => run(), name, tally);
    note(tally, name);
    return true;
  } catch (error) {
    note(tally, name, reasonOf(error));
    return false;
  }
}

/** @throws Error on timeout. Progress is printed periodically. */
async function untilLate(run: () => Promise<void>, name: string, { timers, print }: Tally): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = timers.after(SECONDS_MAX, () =>
    late.reject(new Error(`it has not ended after ${SECONDS_MAX} s`)),
  );
  try {
    await slowly(Promise.race([run(), late.promise]), timers, () =>
      print(`    ...   ${name}: it has not ended yet`),
    );
  } finally {
    cancel();
  }
}

/** @param fault what is wrong; undefined if the check passed */
function note(tally: Tally, name: string, fault?: string): void {
  tally.checks++;
  if (fault !== undefined) tally.failed++;
  tally.print(`    ${fault === undefined ? 'ok  ' : 'FAIL'}  ${printable(name)}`);
  if (fault !== undefined) tally.print(fault.trim().replace(/^/gm, '          '));
}

/** Log lines of the plugin, separate from the results. */
const LOG: PluginLog = { info: logged, warn: logged, error: logged };

function logged(fields: object | string, message = ''): void {
  printNotice(typeof fields === 'string' ? fields : `${message} ${JSON.stringify(fields)}`);
}
