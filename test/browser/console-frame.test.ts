import { describe, expect, test } from 'bun:test';
import { editAt } from '../support/edit.ts';
import { expectAccessible, expectFits, SIZES, untilHolds, withConsole } from './console.ts';
import { KEY, MISSING, openStage } from './support.ts';

describe.skipIf(MISSING !== '')(`the frame of the console${MISSING}`, () => {
  test('signs in with a key that stays in the tab, and out again', async () => {
    await using stage = await openStage();
    const page = await stage.open(`${stage.running.address}/`);
    expect(page.url()).toBe(`${stage.running.address}/console`);
    const field = page.getByLabel('API key');
    await untilHolds(page, 'document.activeElement.type === "password"');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(stage.errors.filter((error) => !error.includes('401'))).toEqual([]);
    stage.errors.length = 0;
    await field.fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain(KEY);
    await page.reload();
    await page.getByText('default').first().waitFor();
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain(KEY);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor();
    expect(await page.evaluate('Object.values(sessionStorage).join()')).toBe('');
  });

  test('signs in with a one-time code, which leaves the address and works once', async () => {
    await using stage = await openStage();
    const code = stage.running.createConsoleCode(KEY);
    const address = `${stage.running.address}/console#code=${code}`;
    const page = await stage.open(address);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain('code');
    await page.getByRole('button', { name: 'Sign out' }).click();
    const other = await stage.open(address);
    await other.getByText('the code is wrong, was used').waitFor();
  });

  test('is reached by keyboard alone', () =>
    withConsole('', async (page) => {
      const find = page.getByRole('dialog', { name: 'Find' });
      const keyboard = page.getByRole('dialog', { name: 'Keyboard' });
      // A dialog closes a moment after Escape. Until then it gets the keys.
      const escaped = async (dialog: typeof find) => {
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
      };
      await page.keyboard.press('Control+k');
      await find.waitFor();
      await page.keyboard.type('sign off');
      await find.getByText('No page, feed or action has “sign off” in its name.').waitFor();
      await escaped(find);
      await page.keyboard.press('?');
      await keyboard.waitFor();
      await escaped(keyboard);
      await page.keyboard.press('Control+k');
      await find.waitFor();
      await page.keyboard.type('sign o');
      await find.getByText('Sign out').waitFor();
      await page.keyboard.press('Enter');
      await page.getByLabel('API key').waitFor();
    }));

  test('fits a phone, and has no serious fault of accessibility', () =>
    withConsole('', async (page) => {
      await expectAccessible(page);
      await page.setViewportSize(SIZES.phone);
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.getByRole('link', { name: 'Feeds', exact: true }).waitFor();
      await expectFits(page);
    }));

  test('begins with the first page that the key may open', async () => {
    await using stage = await openStage();
    const { service } = stage.running;
    const { key } = await service.store.keys.create('default', ['ingest:write'], editAt(service.clock.now()));
    const page = await stage.open(
      `${stage.running.address}/console#code=${stage.running.createConsoleCode(key)}`,
    );
    await page.getByRole('heading', { name: 'Viewers' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click({ force: true });
    await page.getByText('The page Overview needs the scope config:write').waitFor();
    await page.getByRole('link', { name: 'Feedloom' }).click();
    await page.getByRole('heading', { name: 'Viewers' }).waitFor();
  });

  test('works behind a path prefix', async () => {
    await using stage = await openStage({ base_path: '/tools/feeds' });
    const page = await stage.open(`${stage.running.address}/tools/feeds/`);
    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(stage.errors).toEqual([]);
  });
});
