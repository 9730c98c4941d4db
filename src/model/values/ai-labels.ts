/**
 * Parses a classifier's labels of an item, in all forms that publishers send, to a flat object label → score.
 *
 * The group of a label (`topics`) is dropped, because the label implies its category.
 */
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { NAME_LENGTH_MAX, opaque, TOO_MANY } from './checks.ts';
import { expected, FAULTS_PER_VALUE_MAX, isPlainObject, pointerStep, Reduced, Refusal } from './refusal.ts';

const FORM =
  'labels as {"gaming":0.93}, ["gaming"], {"topics":["gaming"]} or [{"label":"gaming","score":0.93}]';
const ENTRY_FORM = 'a label, or {"label":"gaming","score":0.93}';

const labelName = opaque(NAME_LENGTH_MAX);

function labelScore(value: unknown): number | Refusal {
  // The negation also refuses NaN.
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    return expected('a score from 0 to 1, or an array of labels', value);
  }
  return value + 0; // -0 becomes 0
}

class LabelCollector {
  /** Without a prototype, because labels come from outside and `__proto__` must be an ordinary name. */
  readonly scores: Record<string, number> = Object.create(null);
  readonly faults: Fault[] = [];
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
    const checked_name = labelName(name);
    const checked_score = labelScore(score);
    if (checked_name instanceof Refusal) this.take(checked_name, name_path);
    if (checked_score instanceof Refusal) this.take(checked_score, score_path);
    if (checked_name instanceof Refusal || checked_score instanceof Refusal) return;
    const former = this.scores[checked_name];
    if (former === undefined || former < checked_score) this.scores[checked_name] = checked_score;
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

  private take(refusal: Refusal, path: string): void {
    for (const fault of refusal.faults) this.faults.push({ path: path + fault.path, message: fault.message });
  }

  result(): Record<string, number> | Refusal | Reduced<Record<string, number>> {
    if (this.faults.length > 0) return new Refusal(this.faults);
    return this.too_many ? new Reduced(this.scores, [TOO_MANY]) : this.scores;
  }
}

/**
 * Checks labels and returns label → score in [0, 1], on an object without prototype.
 *
 * A label without a score has score 1. Within an object, numbers and arrays may be mixed, and `null` counts as not
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
