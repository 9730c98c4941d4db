import { Type } from '@sinclair/typebox';
import { listOf } from './list-of.ts';

/** The labeler, and behind the last slash the value. */
const OtherLabel = Type.String({
  pattern: '^[^]{1,256}/[^/]{1,128}$',
  maxLength: 385,
  description: '"<labeler>/<value>", or "*/<value>" for any labeler',
});

/** Options of filters on labels of others. An empty list filters nothing. */
export const OtherLabels = listOf(
  OtherLabel,
  'labels, each "<labeler>/<value>" or "*/<value>"',
  ['did:plc:ar7c4by46qjdydhdevvrndac/spam', '*/!warn'],
  1_000,
);
