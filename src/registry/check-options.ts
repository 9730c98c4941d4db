import { KindGuard, type TSchema } from '@sinclair/typebox';
import { reasonOf } from '../errors.ts';
import type { Unchecked } from './kind-data.ts';
import { KIND_DATA, type Kind } from './kinds.ts';
import { type Checked, OptionsChecker } from './options.ts';
import { RefusedPlugin } from './refused-plugin.ts';
import { unfitDefault } from './unfit-default.ts';
import './text-formats.ts';

const REMEDY =
  "Build it with Type of 'feedloom/plugin', for example Type.Object({}); Type.Unsafe takes such a schema, too.";

/**
 * Checks that options can be validated, published and defaulted.
 * @throws RefusedPlugin `plugin_options_invalid`
 */
export function checkOptionsSchema(kind: Kind, id: string, extension: Unchecked, source: string): void {
  const { hasDefaultsOnly, switched_off_by = [] } = KIND_DATA[kind];
  const { options } = extension;
  const refused = (reason: string, remedy: string) =>
    new RefusedPlugin('plugin_options_invalid', source, `${id}.options${reason}`, remedy);
  if (!KindGuard.IsSchema(options)) throw refused(' is not a TypeBox schema', REMEDY);
  let defaults: Checked;
  try {
    defaults = new OptionsChecker(options).check(undefined, '');
    // The API document contains the schema as JSON.
    JSON.stringify(options);
  } catch (error) {
    throw refused(` cannot be compiled: ${reasonOf(error)}`, REMEDY);
  }
  const constants = constantsOf(options);
  const unseen = switched_off_by.find((text) => constants.includes(text));
  if (unseen !== undefined) {
    throw refused(
      ` allows '${unseen}', which switches a filter off, so the filter would never get it`,
      'Give the value another name.',
    );
  }
  const unfit = unfitDefault(options);
  if (unfit !== undefined) {
    throw refused(
      `: the default of ${unfit || 'the options'} is not allowed by its own schema`,
      'Give a default that the schema allows.',
    );
  }
  if (defaults.ok || !hasDefaultsOnly?.(extension)) return;
  const [{ path, message }] = defaults.faults;
  throw refused(
    ` need a default each, because no configuration sets options of ${kind}: ${path || id} ${message}`,
    'Give every option a default that fits it.',
  );
}

/** The values that a schema names. */
function constantsOf(schema: TSchema): unknown[] {
  return [schema.const, ...(schema.anyOf ?? []).map((choice: TSchema) => choice.const)];
}
