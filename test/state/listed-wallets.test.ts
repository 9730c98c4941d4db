import { describe, expect, test } from 'bun:test';
import { imageOf } from '../../src/columns/image.ts';
import { ListedWallets } from '../../src/state/listed-wallets.ts';

const addressOf = (user: number): string => `0x${user.toString(16).padStart(40, '0')}`;

/** Lists one address for each user. */
function listedBy(users: number): ListedWallets {
  const wallets = new ListedWallets();
  for (let user = 0; user < users; user++) wallets.list(user, [addressOf(user)]);
  return wallets;
}

describe('listed wallets', () => {
  test('a wallet leads to the last user who lists it, and back when that user drops it', () => {
    const wallets = new ListedWallets();
    wallets.list(3, ['0xa', '0xb', '0xa']);
    wallets.list(5, ['0xb']);
    wallets.list(4, ['0xb', '0xc']);
    expect(['0xa', '0xb', '0xc', '0xd'].map((address) => wallets.user(address))).toEqual([
      3,
      4,
      4,
      undefined,
    ]);
    wallets.drop(5);
    wallets.list(4, ['0xc']);
    expect(['0xa', '0xb', '0xc'].map((address) => wallets.user(address))).toEqual([3, 3, 4]);
    wallets.drop(3);
    expect(['0xa', '0xb', '0xc'].map((address) => wallets.user(address))).toEqual([undefined, undefined, 4]);
  });

  test('wallets that no user lists any more leave no text behind', () => {
    const wallets = listedBy(100);
    for (let user = 0; user < 100; user++) wallets.drop(user);
    const { bytes } = imageOf(wallets);
    for (const each of bytes) expect(Buffer.from(each).includes(addressOf(7))).toBe(false);
    expect(wallets.user(addressOf(7))).toBeUndefined();
  });

  test('wallets come and go without taking more memory', () => {
    const wallets = new ListedWallets();
    const sizeOf = () => imageOf(wallets).columns.reduce((sum, { length }) => sum + length, 0);
    const replaceAll = (turn: number): void => {
      for (let user = 0; user < 500; user++) wallets.list(user, [addressOf(turn * 500 + user)]);
    };
    for (let turn = 0; turn < 4; turn++) replaceAll(turn);
    const size = sizeOf();
    for (let turn = 4; turn < 40; turn++) replaceAll(turn);
    expect(sizeOf()).toBe(size);
  });

  // The outline is JSON. With a million users in it, it would be 100 MB to write and read at once.
  test('wallets are columns in a checkpoint, so its outline does not grow with their number', () => {
    const outlineOf = (users: number) => JSON.stringify(imageOf(listedBy(users)).outline).length;
    expect(outlineOf(20_000)).toBeLessThan(outlineOf(1_000) + 400);
  });
});
