import { INTERACTION } from '../model/records/interaction.ts';
import { ENGAGEMENT, IMPRESSION } from '../model/records/interchange.ts';
import { ITEM } from '../model/records/item.ts';
import { LABEL } from '../model/records/label.ts';
import { BLOCK, FOLLOW } from '../model/records/relation.ts';
import { USER } from '../model/records/user.ts';

/** The kinds of records that files can hold, in the order in which records at the same time are imported. */
export const RECORDS = {
  users: USER,
  items: ITEM,
  follows: FOLLOW,
  blocks: BLOCK,
  engagement: ENGAGEMENT,
  interactions: INTERACTION,
  impressions: IMPRESSION,
  labels: LABEL,
};

export type Kind = keyof typeof RECORDS;

export const KINDS = Object.keys(RECORDS) as Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(RECORDS, text);
}

/** Fields that rows of files need beyond those of every record: an undated act would be another one at each import. */
export const ALSO_REQUIRED: Partial<Record<Kind, readonly string[]>> = {
  interactions: ['timestamp'],
  labels: ['timestamp'],
};

/** The fields that a file must have. */
export function requiredFields(kind: Kind): string[] {
  return [...RECORDS[kind].shape.required, ...(ALSO_REQUIRED[kind] ?? [])];
}

/** The fields that a map of this kind can have. */
export function fieldsOf(kind: Kind): string[] {
  return [...RECORDS[kind].shape.checks.keys()];
}
