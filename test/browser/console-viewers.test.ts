import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { expectAccessible, expectFits, forAll } from './console.ts';
import { openShared, type Shared } from './people.ts';
import { MISSING } from './support.ts';

describe.skipIf(MISSING !== '')(`the viewers of the console${MISSING}`, () => {
  let shared: Shared;
  forAll(async () => {
    shared = await openShared();
    const { status } = await shared.ask('POST', '/v2/community/feeds/for-you', {
      user_id: 'u-ada',
      impression_count: 2,
    });
    expect(status).toBe(200);
    return shared.stage;
  });

  test('finds viewers by the start of a name or identifier, and opens the first by Enter', async () => {
    const { page, go } = shared;
    await go('#/viewers');
    await page.getByRole('link', { name: '<b>Cleo</b>' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('be');
    await page.getByRole('table', { name: 'Viewers found' }).waitFor();
    const rows = page.getByRole('table').getByRole('link');
    await page.getByRole('link', { name: 'Ada Heron' }).waitFor({ state: 'detached' });
    expect((await rows.allTextContents()).sort()).toEqual(['Bea Otter', 'Ben Kiln']);
    await page.keyboard.type('n');
    await page.getByRole('link', { name: 'Bea Otter' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ben Kiln' }).waitFor();
    await page.goBack();
    expect(await page.getByLabel('Find viewers').inputValue()).toBe('ben');
    await page.getByLabel('Find viewers').fill('nobody has this name');
    await page.getByRole('heading', { name: /No viewer begins with/ }).waitFor();
  });

  test('shows whom a viewer follows, what they did and saw, and what they like', async () => {
    const { page, go, stage } = shared;
    await go('#/viewers/u-ada');
    await page.getByRole('heading', { name: 'Ada Heron' }).waitFor();
    const did = page.getByRole('region', { name: 'What they did' });
    await did.getByRole('link', { name: 'The second song' }).waitFor();
    expect(
      (await did.getByRole('listitem').allTextContents()).map((text) => text.split(/(?<=ed)/)[0]),
    ).toEqual(['Reported', 'Shared', 'Liked']);
    const saw = page.getByRole('region', { name: 'What they saw' });
    await saw.getByRole('listitem').nth(1).waitFor();
    expect(await saw.getByRole('listitem').count()).toBe(2);
    const likes = page.getByRole('region', { name: 'What they like' });
    await likes.getByRole('link', { name: 'Ben Kiln' }).waitFor();
    for (const text of ['music', 'German', 'joy', '2 likes, comments, shares and bookmarks'])
      await likes.getByText(text).first().waitFor();
    expect(await page.getByRole('link', { name: 'Their page' }).getAttribute('href')).toBe(
      '#/why?user=u-ada',
    );
    await page.getByRole('region', { name: 'Follows' }).getByRole('link', { name: 'Ben Kiln' }).click();
    await page.getByRole('heading', { name: 'Ben Kiln' }).waitFor();
    expect(stage.elsewhere).toEqual([]);
  });

  test('shows a viewer whose identifier a path cannot carry', async () => {
    const { page, go, ask } = shared;
    await ask('POST', '/v2/community/users', { user_id: '..', display_name: 'Dot Dot' });
    await go('#/viewers/..');
    await page.getByRole('heading', { name: 'Dot Dot' }).waitFor();
    await page.getByRole('region', { name: 'What they like' }).waitFor();
    await page.getByRole('region', { name: 'What they saw' }).waitFor();
    expect((await ask('DELETE', '/v2/community/users?user_id=..')).status).toBe(200);
  });

  test('hides a viewer, and takes it back', async () => {
    const { page, go, ask } = shared;
    await go('#/viewers/u-ben');
    const hide = page.getByRole('switch', { name: 'Hide from all feeds' });
    await hide.check();
    await page.getByText('The user is hidden from all feeds.').waitFor();
    expect((await ask('GET', '/v2/community/users/u-ben')).answer).toMatchObject({ hidden: true });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The user is shown again.').waitFor();
    expect((await ask('GET', '/v2/community/users/u-ben')).answer).toMatchObject({ hidden: false });
    await page.getByRole('switch', { name: 'Hide from all feeds', checked: false }).waitFor();
  });

  test('saves the export of a viewer as a file', async () => {
    const { page, go } = shared;
    await go('#/viewers/u-ada');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('u-ada.ndjson');
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(JSON.parse(lines[0])).toMatchObject({ kind: 'profile', username: 'ada' });
    expect(JSON.parse(lines[lines.length - 1])).toEqual({ kind: 'end', lines: lines.length });
  });

  test('erases a viewer after their identifier was typed', async () => {
    const { page, go, ask } = shared;
    await go('#/viewers/u-bea');
    await page.getByRole('button', { name: 'Erase…' }).click();
    const typed = page.getByLabel('Type u-bea to confirm');
    await typed.fill('u-ben');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Type u-bea to confirm').waitFor();
    expect((await ask('GET', '/v2/community/users/u-bea')).status).toBe(200);
    await typed.fill('u-bea');
    await page.keyboard.press('Enter');
    await page.getByText('u-bea is erased.').waitFor();
    expect((await ask('GET', '/v2/community/users/u-bea')).status).toBe(404);
    expect(page.url()).toEndWith('#/viewers');
    await go('#/viewers/u-bea');
    await page.getByRole('alert').getByText("there is no user 'u-bea'").waitFor();
    // The browser reports the answer 404 itself.
    shared.stage.errors.length = 0;
  });

  test('is accessible, fits a phone and asks no other host', async () => {
    const { page, go } = shared;
    const places = { '#/viewers': 'Ada Heron', '#/viewers/u-ada': 'The second song' };
    for (const [where, text] of Object.entries(places)) {
      await go(where);
      await page.getByText(text).first().waitFor();
      await expectFits(page);
    }
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByRole('dialog', { name: 'Erase this person' }).waitFor();
    await expectAccessible(page);
  });
});
