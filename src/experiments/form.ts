import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Check, clip, expected, isPlainObject, Refusal, refuse } from '../model/values/refusal.ts';
import { printable } from '../printable.ts';
import { METRIC_NAMES, type MetricName } from './metrics.ts';

export interface VariantForm {
  name: string;
  feed_id: string;
  percent: number;
}

export interface ExperimentForm {
  name: string;
  feed_id: string;
  variants: VariantForm[];
  metric: string;
  attribution_hours: number;
}

/** A change as it is sent. Absent fields stay. */
export interface ExperimentPatch {
  name?: string;
  status?: 'running' | 'stopped';
  /** New percents by the name of the variant. */
  percents?: Map<string, number>;
}

/** A value that was read, and what was wrong or ignored. */
export interface Read<T> {
  form: T | undefined;
  faults: Fault[];
  unknown: string[];
}

const STATUSES = ['running', 'stopped'] as const;
/** Sums of fractions may exceed 100 by a rounding error. */
const PERCENT_SUM_MAX = 100 + 1e-9;
const DEFAULT_METRIC: MetricName = 'interactions';

/** Reads the fields of an object and collects their faults. */
class Fields {
  readonly faults: Fault[] = [];
  private readonly known = new Set<string>();

  constructor(
    private readonly object: Record<string, unknown>,
    private readonly path = '',
  ) {}

  /** Undefined if the field is absent or null, or has a fault. */
  optional<T>(name: string, check: Check<T>): T | undefined {
    this.known.add(name);
    const value = this.object[name];
    if (value === undefined || value === null) return undefined;
    const checked = check(value);
    if (!(checked instanceof Refusal)) return checked;
    for (const { path, message } of checked.faults) this.fault(`/${name}${path}`, message);
    return undefined;
  }

  required<T>(name: string, check: Check<T>): T | undefined {
    const value = this.object[name];
    if (value === undefined || value === null) this.fault(`/${name}`, 'is required');
    return this.optional(name, check);
  }

  fault(path: string, message: string): void {
    this.faults.push({ path: this.path + path, message });
  }

  get unknown(): string[] {
    return Object.keys(this.object).filter((name) => !this.known.has(name));
  }
}

export const isName: Check<string> = (value) => {
  const max = LIMITS.experiment_name_length_max;
  const fits = typeof value === 'string' && value !== '' && value.length <= max;
  if (!fits) return expected(`1 to ${max} characters`, value);
  return printable(value) === value ? value : refuse('expected no line breaks and other control characters');
};

const isFeedId: Check<string> = (value) =>
  typeof value === 'string' && value !== '' ? value : expected('the id of a saved feed', value);

const isPercent: Check<number> = (value) => {
  const fits = typeof value === 'number' && value >= 0 && value <= 100;
  return fits ? value : expected('a number from 0 to 100', value);
};

const isHours: Check<number> = (value) => {
  const max = LIMITS.attribution_hours_max;
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
  return fits ? value : expected(`an integer from 1 to ${max}`, value);
};

function oneOf<T extends string>(allowed: readonly T[]): Check<T> {
  return (value) => allowed.find((each) => each === value) ?? expected(`one of ${allowed.join(', ')}`, value);
}

function unchanged(current: unknown): Check<undefined> {
  return (value) =>
    value === current ? undefined : refuse('cannot be changed; stop this experiment and create another one');
}

/** Fields that the service sets. */
const READ_ONLY = [
  ...['experiment_id', 'period', 'period_started_at', 'revision', 'created_at', 'updated_at'],
  ...['results', 'ended_periods'],
];

export function readExperiment(body: Record<string, unknown>): Read<ExperimentForm> {
  const fields = new Fields(body);
  const name = fields.required('name', isName);
  const feed_id = fields.required('feed_id', isFeedId);
  const variants = fields.required('variants', isList);
  const metric = fields.optional('metric', oneOf(METRIC_NAMES)) ?? DEFAULT_METRIC;
  const attribution_hours = fields.optional('attribution_hours', isHours) ?? LIMITS.attribution_hours_default;
  const read = variants?.map((variant, at) => readVariant(variant, at, fields));
  if (read !== undefined) checkVariants(read, fields);
  const { faults, unknown } = fields;
  if (faults.length > 0 || name === undefined || feed_id === undefined || read === undefined)
    return { form: undefined, faults, unknown };
  return {
    form: { name, feed_id, variants: read as VariantForm[], metric, attribution_hours },
    faults,
    unknown,
  };
}

/** Reads the body of `PATCH /api/experiments/<id>`. Fields that cannot be changed may be sent as they are. */
export function readPatch(body: Record<string, unknown>, current: ExperimentForm): Read<ExperimentPatch> {
  const fields = new Fields(body);
  const name = fields.optional('name', isName);
  const status = fields.optional('status', oneOf(STATUSES));
  const variants = fields.optional('variants', isList);
  for (const fixed of ['feed_id', 'metric', 'attribution_hours'] as const)
    fields.optional(fixed, unchanged(current[fixed]));
  for (const read_only of READ_ONLY) fields.optional(read_only, () => undefined);
  const percents = variants && readPercents(variants, current.variants, fields);
  const { faults, unknown } = fields;
  const form = { name, status, percents };
  return { form: faults.length > 0 ? undefined : form, faults, unknown };
}

/** New percents by the name of the variant. */
function readPercents(
  variants: readonly unknown[],
  current: readonly VariantForm[],
  fields: Fields,
): Map<string, number> {
  const percents = new Map<string, number>();
  const names = current.map(({ name }) => name);
  for (const [at, variant] of variants.entries()) {
    const path = `/variants/${at}`;
    if (!isPlainObject(variant)) {
      fields.fault(path, 'expected an object with name and percent');
      continue;
    }
    const own = new Fields(variant, path);
    const name = own.required('name', oneOf(names));
    const percent = own.required('percent', isPercent);
    own.optional('feed_id', unchanged(current.find((each) => each.name === name)?.feed_id));
    fields.faults.push(...own.faults);
    if (name === undefined || percent === undefined) continue;
    if (percents.has(name)) fields.fault(`${path}/name`, `'${clip(name)}' is given twice`);
    percents.set(name, percent);
  }
  return percents;
}

export function percentFault(percents: readonly number[]): Fault | undefined {
  const sum = percents.reduce((all, percent) => all + percent, 0);
  if (sum <= PERCENT_SUM_MAX) return undefined;
  return { path: '/variants', message: `the percents must sum to at most 100; got ${sum}` };
}

const isList: Check<unknown[]> = (value) => {
  const max = LIMITS.experiment_variants_max;
  return Array.isArray(value) && value.length <= max
    ? value
    : expected(`a list of at most ${max} variants`, value);
};

function readVariant(variant: unknown, at: number, fields: Fields): Partial<VariantForm> {
  const path = `/variants/${at}`;
  if (!isPlainObject(variant)) {
    fields.fault(path, 'expected an object with name, feed_id and percent');
    return {};
  }
  const own = new Fields(variant, path);
  const name = own.required('name', isName);
  const feed_id = own.required('feed_id', isFeedId);
  const percent = own.required('percent', isPercent);
  fields.faults.push(...own.faults);
  return { name, feed_id, percent };
}

function checkVariants(variants: readonly Partial<VariantForm>[], fields: Fields): void {
  if (variants.length < 2) fields.fault('/variants', 'at least two are needed, the control first');
  const names = variants.map(({ name }) => name);
  names.forEach((name, at) => {
    if (name !== undefined && names.indexOf(name) < at)
      fields.fault(`/variants/${at}/name`, `'${clip(name)}' is the name of another variant`);
  });
  const fault = percentFault(variants.map(({ percent = 0 }) => percent));
  if (fault !== undefined) fields.faults.push(fault);
}
