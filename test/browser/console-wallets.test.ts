import { describe, expect, test } from 'bun:test';
import { expectAccessible, expectFits, forAll, openConsole, SIZES } from './console.ts';
import { MISSING, openStage, type Stage } from './support.ts';

const WALLET = '0x00000000000000000000000000000000000a0001';

describe.skipIf(MISSING !== '')(`the page of wallets${MISSING}`, () => {
  let stage: Stage;
  forAll(async () => {
    stage = await openStage({ chain: 'solana' });
    return stage;
  });

  test('shows what is popular, then what a wallet gets, with pictures after a click', async () => {
    const page = await openConsole(stage, '#/wallets');
    const popular = page.getByRole('region', { name: 'Popular' });
    await popular.getByText('Price').first().waitFor();
    const field = page.getByLabel('Address of a wallet');
    await field.fill('0x12');
    await page.keyboard.press('Enter');
    await page.getByText('An address is 0x and 40 digits').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(WALLET);
    await page.keyboard.press('Enter');
    const own = page.getByRole('region', { name: 'For this wallet' });
    await own.getByRole('article').first().waitFor();
    expect(page.url()).toContain(`wallet=${WALLET}`);
    await expectAccessible(page);
    await own.getByRole('button', { name: 'Show the picture from example.com' }).first().click();
    await own.getByText('The picture could not be loaded').waitFor();
    expect(stage.elsewhere.map((address) => new URL(address).host)).toEqual(['example.com']);
    stage.elsewhere.length = 0;
    stage.errors.length = 0;
  });

  test('fits a phone', async () => {
    const page = await openConsole(stage, `#/wallets?wallet=${WALLET}`);
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('region', { name: 'For this wallet' }).getByRole('article').first().waitFor();
    await expectFits(page);
  });
});
