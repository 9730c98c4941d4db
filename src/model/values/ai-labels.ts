/**
 * Parses a classifier's labels of an item, in all forms that publishers send, to a flat object label → score.
 *
 * The group of a label (`topics`) is dropped, because the label implies its category.
 */
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { NAME_LENGTH_MAX, opaque, TOO_MANY } from './checks.ts';
import { droppedUnless } from './kept-without.ts';
import {
  type Checked,
  Dropped,
  expected,
  FAULTS_PER_VALUE_MAX,
  isPlainObject,
  pointerStep,
  Reduced,
  Refusal,
  warningAbout,
} from './refusal.ts';

const FORM =
  'labels as {"gaming":0.93}, ["gaming"], {"topics":["gaming"]} or [{"label":"gaming","score":0.93}]';
const ENTRY_FORM = 'a label, or {"label":"gaming","score":0.93}';

const labelName = droppedUnless('string', opaque(NAME_LENGTH_MAX), 'a label was dropped');

function labelScore(value: unknown): number | Reduced<number> | Refusal {
  if (typeof value !== 'number' || Number.isNaN(value))
    return expected('a score from 0 to 1, or an array of labels', value);
  if (value < 0 || value > 1)
    return new Reduced(Math.min(Math.max(value, 0), 1), [
      warningAbout('a score was moved into 0 to 1', value),
    ]);
  return value + 0; // -0 becomes 0
}

class LabelCollector {
  /** Without a prototype, because labels come from outside and `__proto__` must be an ordinary name. */
  readonly scores: Record<string, number> = Object.create(null);
  readonly faults: Fault[] = [];
  private readonly warnings = new Set<string>();
  private labels_count = 0;
  private too_many = false;

  get full(): boolean {
    return this.too_many || this.faults.length >= FAULTS_PER_VALUE_MAX;
  }

  /** A repeated label keeps its highest score. */
  add(name: unknown, name_path: string, score: unknown, score_path: string): void {
    this.too_many = this.labels_count === LIMITS.list_length_max;
    if (this.too_many) return;
    this.labels_count++;
    const kept_name = this.kept(labelName(name), name_path);
    const kept_score = this.kept(labelScore(score), score_path);
    if (kept_name === undefined || kept_score === undefined) return;
    const former = this.scores[kept_name];
    if (former === undefined || former < kept_score) this.scores[kept_name] = kept_score;
  }

  addList(entries: readonly unknown[], path: string): void {
    for (let index = 0; index < entries.length && !this.full; index++) {
      const entry = entries[index];
      if (typeof entry === 'string') this.add(entry, path + pointerStep(index), 1, path);
      else this.addEntry(entry, path + pointerStep(index));
    }
  }

  private addEntry(entry: unknown, path: string): void {
    if (!isPlainObject(entry)) this.take(expected(ENTRY_FORM, entry), path);
    else this.add(entry.label, `${path}/label`, entry.score, `${path}/score`);
  }

  /** What is kept of a value; undefined for nothing. Remembers faults and warnings. */
  private kept<T>(checked: Checked<T>, path: string): T | undefined {
    if (checked instanceof Refusal) this.take(checked, path);
    else if (checked instanceof Dropped) this.warnings.add(checked.warning);
    else if (checked instanceof Reduced) {
      for (const warning of checked.warnings) this.warnings.add(warning);
      return checked.value;
    } else return checked;
    return undefined;
  }

  private take(refusal: Refusal, path: string): void {
    for (const fault of refusal.faults) this.faults.push({ path: path + fault.path, message: fault.message });
  }

  result(): Record<string, number> | Refusal | Reduced<Record<string, number>> {
    if (this.faults.length > 0) return new Refusal(this.faults);
    if (this.too_many) this.warnings.add(TOO_MANY);
    return this.warnings.size > 0 ? new Reduced(this.scores, [...this.warnings]) : this.scores;
  }
}

/**
 * Checks labels and returns label → score in [0, 1], on an object without prototype.
 *
 * A label without a score has score 1. Scores outside 0 to 1 are moved there, and unusable labels dropped, with warnings. Within an object, numbers and arrays may be mixed, and `null` counts as not
 * given. Empty: no labels.
 */
export function aiLabels(value: unknown): Record<string, number> | Refusal | Reduced<Record<string, number>> {
  const collector = new LabelCollector();
  if (Array.isArray(value)) collector.addList(value, '');
  else if (!isPlainObject(value)) return expected(FORM, value);
  else {
    for (const name of Object.keys(value)) {
      if (collector.full) break;
      const held = value[name];
      if (held === null) continue;
      const path = pointerStep(name);
      if (Array.isArray(held)) collector.addList(held, path);
      else collector.add(name, path, held, path);
    }
  }
  return collector.result();
}
