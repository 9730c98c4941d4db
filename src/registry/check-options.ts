import { KindGuard, type TSchema } from '@sinclair/typebox';
import { reasonOf } from '../errors.ts';
import { OFF_TEXTS } from '../plugin/off-values.ts';
import { unfitDefault } from '../plugin/unfit-default.ts';
import type { Kind } from './kinds.ts';
import { type Checked, OptionsChecker } from './options.ts';
import { RefusedPlugin } from './refused-plugin.ts';
import './text-formats.ts';

/**
 * Checks that options can be validated, published and defaulted.
 * @param always_default no configuration sets the options
 * @throws RefusedPlugin `plugin_options_invalid`
 */
export function checkOptionsSchema(
  kind: Kind,
  id: string,
  options: unknown,
  always_default: boolean,
  source: string,
): void {
  const remedy =
    "Build it with Type of 'feedloom/plugin', for example Type.Object({}); Type.Unsafe takes such a schema, too.";
  if (!KindGuard.IsSchema(options)) {
    throw new RefusedPlugin(
      'plugin_options_invalid',
      source,
      `${id}.options is not a TypeBox schema`,
      remedy,
    );
  }
  let defaults: Checked;
  try {
    defaults = new OptionsChecker(options).check(undefined, '');
    // The API document contains the schema as JSON.
    JSON.stringify(options);
  } catch (error) {
    const reason = reasonOf(error);
    throw new RefusedPlugin(
      'plugin_options_invalid',
      source,
      `${id}.options cannot be compiled: ${reason}`,
      remedy,
    );
  }
  const unseen = kind === 'filters' ? offValue(options) : undefined;
  if (unseen !== undefined) {
    throw new RefusedPlugin(
      'plugin_options_invalid',
      source,
      `${id}.options allows '${unseen}', which switches a filter off, so the filter would never get it`,
      'Give the value another name.',
    );
  }
  const unfit = unfitDefault(options);
  if (unfit !== undefined) {
    throw new RefusedPlugin(
      'plugin_options_invalid',
      source,
      `${id}.options: the default of ${unfit || 'the options'} is not allowed by its own schema`,
      'Give a default that the schema allows.',
    );
  }
  if (defaults.ok || !always_default) return;
  const [{ path, message }] = defaults.faults;
  throw new RefusedPlugin(
    'plugin_options_invalid',
    source,
    `${id}.options need a default each, because no configuration sets options of ${kind}: ${path || id} ${message}`,
    'Give every option a default that fits it.',
  );
}

/** An option of a filter's schema that means "no filter". */
function offValue(schema: TSchema): string | undefined {
  const named: unknown[] = [schema.const, ...(schema.anyOf ?? []).map((choice: TSchema) => choice.const)];
  return OFF_TEXTS.find((text) => named.includes(text));
}
