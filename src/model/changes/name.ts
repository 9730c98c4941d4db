import { type ChangeOf, defineChange } from '../define-change.ts';
import { SPACES } from '../key.ts';
import { integer, oneOf, text } from '../member.ts';

/** Gives `key` its public identifier. Precedes every other change that uses the key. */
export const NAME = defineChange({
  kind: 'name',
  table: 'names',
  members: { space: oneOf(SPACES), key: integer, id: text },
});

export type NameChange = ChangeOf<typeof NAME>;
