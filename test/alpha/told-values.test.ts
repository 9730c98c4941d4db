import { describe, expect, test } from 'bun:test';
import { catalogParser } from '../../src/model/records/token.ts';
import { eventParser } from '../../src/model/records/wallet-event.ts';
import type { Parsed } from '../../src/model/values/record.ts';
import { eventOf, nft, token, wallet } from './support.ts';

/** The reason why a record is rejected. */
function messageOf(parsed: Parsed<unknown>): string {
  if (parsed.ok) throw new Error('was taken');
  return parsed.faults.map(({ message }) => message).join();
}

const parseEvent = eventParser('base');
const parseItem = catalogParser('base');

describe('an error shows a rejected identifier completely:', () => {
  test.each([
    nft(2, 7).replace('.7', '.'),
    nft(2, 7).replace('.7', '.007'),
    nft(2, 7).replace('.7', '.-1'),
    nft(2, 7).replace('.7', '.0x1'),
    nft(2, 7).replace('.7', `.${2n ** 256n}`),
    token(2).slice(0, -1),
    token(2).replace('base', 'c'.repeat(64)),
  ])('%s', (item_id) => {
    const message = messageOf(parseEvent(eventOf(1, item_id, 'mint')));
    expect(message).toEndWith(`of at most 256 bits without leading zeros; got "${item_id}"`);
    expect(messageOf(parseItem({ item_id }))).toBe(message);
  });

  test('an address of a wallet', () => {
    const wallet_address = wallet(1).slice(0, -1);
    const message = messageOf(parseEvent({ wallet_address, item_id: token(1), event_type: 'mint' }));
    expect(message).toEndWith(`got "${wallet_address}"`);
  });

  test('but not a long text of another form', () => {
    const message = messageOf(parseItem({ item_id: 'x'.repeat(10_000) }));
    expect(message).toEndWith(`got "${'x'.repeat(186)}…"`);
  });
});

test.each([-1, 256, 18.5, '18'])(
  'an error for invalid decimals states the allowed values: %p',
  (decimals) => {
    const message = messageOf(parseItem({ item_id: token(1), decimals }));
    expect(message).toBe(`expected an integer from 0 to 255; got ${JSON.stringify(decimals)}`);
  },
);
