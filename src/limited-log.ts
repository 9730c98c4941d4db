import { LIMITS } from './limits.ts';
import { LogLimiter } from './log-limiter.ts';
import type { PluginLog } from './plugin/index.ts';

/** Maximum length of one text, and of all fields of a line, in UTF-16 units. */
const TEXT_LENGTH_MAX = 1_000;
const FIELDS_LENGTH_MAX = 4_000;
/** Maximum nesting of fields. */
const LEVELS_MAX = 8;
/** What a value counts besides its texts. */
const VALUE_LENGTH = 8;
const LEFT_OUT = '…';

/** Cuts a text from outside. The end of a cut text says how long it was. */
export function shortened(text: string, length_max: number = TEXT_LENGTH_MAX): string {
  if (text.length <= length_max) return text;
  return `${text.slice(0, length_max).toWellFormed()}${LEFT_OUT} (${text.length} characters)`;
}

/**
 * A log for what reads texts from outside: plugins, connectors, webhooks, providers.
 *
 * Texts are cut, and lines are limited to one per `LIMITS.repeated_log_ms`, level and message. A text from outside
 * therefore belongs into a field and not into the message. The methods work without `this`.
 */
export function limitedLog(log: PluginLog, monotonicMs: () => number): PluginLog {
  const limiter = new LogLimiter(LIMITS.repeated_log_ms, monotonicMs);
  const at = (level: keyof PluginLog) => (given: object | string, text?: string) => {
    const [fields, message] = typeof given === 'string' ? [{}, given] : [given, text ?? ''];
    const shown = shortened(message);
    const unlogged = limiter.pick(`${level} ${shown}`);
    if (unlogged === undefined) return;
    log[level]({ ...new FieldsCopy().of(fields), unlogged: unlogged || undefined }, shown);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

class FieldsCopy {
  private left = FIELDS_LENGTH_MAX;

  of(fields: object): object {
    return fields instanceof Error
      ? { cause: this.value(fields, LEVELS_MAX) }
      : this.members(fields, LEVELS_MAX);
  }

  private value(value: unknown, levels: number): unknown {
    this.left -= VALUE_LENGTH;
    if (typeof value === 'string') return this.text(value);
    if (value instanceof Error) return this.text(value.stack ?? value.message);
    if (typeof value === 'bigint') return this.text(String(value));
    if (typeof value !== 'object' || value === null) return value;
    if (levels === 0) return LEFT_OUT;
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.value(toJSON.call(value), levels - 1);
    return Array.isArray(value) ? this.entries(value, levels - 1) : this.members(value, levels - 1);
  }

  private text(text: string): string {
    const shown = shortened(text, Math.max(0, Math.min(TEXT_LENGTH_MAX, this.left)));
    this.left -= shown.length;
    return shown;
  }

  private entries(list: readonly unknown[], levels: number): unknown[] {
    const copy: unknown[] = [];
    for (const each of list) {
      if (this.left <= 0) {
        copy.push(LEFT_OUT);
        break;
      }
      copy.push(this.value(each, levels));
    }
    return copy;
  }

  private members(object: object, levels: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(object)) {
      if (this.left <= 0) {
        copy[LEFT_OUT] = LEFT_OUT;
        break;
      }
      copy[this.text(name)] = this.value(value, levels);
    }
    return copy;
  }
}
