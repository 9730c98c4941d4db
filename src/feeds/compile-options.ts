import type { Fault } from '../errors.ts';
import { InvalidOptions } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import { pluginFailed } from '../registry/plugin-failed.ts';
import type { Registered } from '../registry/registry.ts';

/** An extension, reduced to the type of its compiled function. */
interface Compilable<R> {
  compile(options: unknown): R;
}

/** Checks the options of an extension and calls its `compile`. Adds faults to `faults`. */
export function compileOptions<R, E extends Compilable<R>>(
  registered: Registered<E & Compilable<R>>,
  value: unknown,
  path: string,
  faults: Fault[],
): { extension: E; options: unknown; run: R } | undefined {
  const checked = registered.options.check(value, path);
  if (!checked.ok) {
    faults.push(...checked.faults);
    return undefined;
  }
  try {
    const run: unknown = registered.extension.compile(checked.options);
    if (typeof run !== 'function')
      throw new Error(`its compile returns ${textOf(run)}, which is not a function`);
    return { extension: registered.extension, options: checked.options, run: run as R };
  } catch (error) {
    if (!(error instanceof InvalidOptions)) throw pluginFailed(registered.id, error);
    faults.push(...error.faults.map((fault) => ({ path: path + fault.path, message: fault.message })));
    return undefined;
  }
}
