import { describe, expect, test } from 'bun:test';
import { expectFits, forAll } from './console.ts';
import { openShared, type Shared } from './people.ts';
import { MISSING } from './support.ts';

describe.skipIf(MISSING !== '')(`the reports of the console${MISSING}`, () => {
  let shared: Shared;
  forAll(async () => {
    shared = await openShared();
    return shared.stage;
  });

  const cards = () => shared.page.getByRole('list', { name: 'Reported posts' }).getByRole('group');
  const card = (item_id: string) => shared.page.getByRole('group', { name: item_id });
  const isHidden = async (item_id: string): Promise<unknown> => {
    const { answer } = await shared.ask('GET', `/v2/community/items?search=${item_id}`);
    return (answer as { items: { hidden: boolean }[] }).items[0].hidden;
  };

  test('lists reported items, most hides and reports first', async () => {
    const { page, go } = shared;
    await go('#/reports');
    await cards().nth(2).waitFor();
    const names = await Promise.all((await cards().all()).map((one) => one.getAttribute('aria-label')));
    expect(names.slice(0, 2).sort()).toEqual(['1 report, 1 hide: song-3', '2 reports: cats-1']);
    expect(names.slice(2)).toEqual(['1 hide: song-2']);
    await page.getByText('The third song').waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  });

  test('is worked through with the keyboard alone', async () => {
    const { page, go } = shared;
    await go('#/reports');
    await cards().nth(2).waitFor();
    const ids = await Promise.all(
      (await cards().all()).map(async (one) => (await one.getAttribute('aria-label'))?.split(': ')[1] ?? ''),
    );
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('j');
    expect(await focused()).toEndWith(ids[0]);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('h');
    await page.getByText('The post is hidden from all feeds.').waitFor();
    await card(ids[0]).getByText('Hidden', { exact: true }).waitFor();
    expect(await isHidden(ids[0])).toBe(true);
    expect(await focused()).toEndWith(ids[1]);
    await page.keyboard.press('u');
    await page.getByText('The post is shown again.').waitFor();
    await card(ids[0]).getByText('Hidden', { exact: true }).waitFor({ state: 'detached' });
    expect(await isHidden(ids[0])).toBe(false);
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor();
    expect(page.url()).toEndWith(`#/posts/${ids[1]}`);
  });

  test('hides nothing when `h` names a page after `g`, or is typed together with Ctrl', async () => {
    const { page, go } = shared;
    await go('#/reports');
    await cards().nth(2).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.keyboard.press('Control+h');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('h');
    await page.keyboard.press('Escape');
    for (const item_id of ['cats-1', 'song-2', 'song-3']) expect(await isHidden(item_id)).toBe(false);
  });

  test('leaves out what is hidden already, until it is asked for', async () => {
    const { page, go, ask } = shared;
    await ask('POST', '/v2/community/users', { user_id: 'u-ben', hidden: true });
    await go('#/reports');
    await card('cats-1').waitFor();
    expect(await cards().count()).toBe(1);
    await card('cats-1').getByRole('button', { name: 'Hide' }).click();
    await card('cats-1').getByRole('button', { name: 'Show again' }).waitFor();
    await go('#/reports');
    await page.getByRole('heading', { name: 'Nothing is left to decide' }).waitFor();
    await page.getByRole('switch', { name: 'Show what is hidden already' }).check();
    await card('song-3').getByText('Hidden with its author').waitFor();
    await card('cats-1').getByRole('button', { name: 'Show again' }).click();
    await page.getByText('The post is shown again.').waitFor();
    expect(await isHidden('cats-1')).toBe(false);
    await ask('POST', '/v2/community/users', { user_id: 'u-ben', hidden: false });
  });

  test('dismisses reports, takes that back, and lists dismissed ones when asked', async () => {
    const { page, go, ask } = shared;
    const dismissedOf = async (item_id: string): Promise<unknown> => {
      const { answer } = await ask('GET', `/v2/community/items/${item_id}`);
      return (answer as { dismissed_reports_count?: number }).dismissed_reports_count;
    };
    await go('#/reports');
    await card('cats-1').focus();
    await page.keyboard.press('d');
    await page.getByText('The reports of the post are dismissed.').waitFor();
    expect(await dismissedOf('cats-1')).toBe(2);
    await page.keyboard.press('u');
    await page.getByText('The post is in the list of reports again.').waitFor();
    expect(await dismissedOf('cats-1')).toBe(0);
    await card('cats-1').getByRole('button', { name: 'Dismiss' }).click();
    await card('cats-1').getByText('Dismissed', { exact: true }).waitFor();
    await card('cats-1').getByRole('button', { name: 'Reopen' }).waitFor();
    await go('#/reports');
    await cards().nth(1).waitFor();
    expect(await card('cats-1').count()).toBe(0);
    await page.getByRole('switch', { name: 'Show dismissed reports' }).check();
    await card('song-3').waitFor({ state: 'detached' });
    await card('cats-1').waitFor();
    expect(await cards().count()).toBe(1);
    // One more report brings it back.
    await ask('POST', '/v2/community/interactions', {
      ...{ user_id: 'u-ben', item_id: 'cats-1', event_type: 'report' },
    });
    await go('#/reports');
    await card('cats-1').getByText('1 since they were dismissed').waitFor();
    await ask('POST', '/v2/community/interactions', {
      ...{ user_id: 'u-ben', item_id: 'cats-1', event_type: 'report', action: 'remove' },
    });
    await ask('POST', '/v2/community/items', { item_id: 'cats-1', dismissed_reports_count: 0 });
  });

  test('loads more when the moderator comes to the end of the list', async () => {
    const { page, go, ask } = shared;
    const ids = Array.from({ length: 30 }, (_, at) => `more-${at}`);
    const { status } = await ask(
      'POST',
      '/v2/community/items',
      ids.map((item_id) => ({ item_id, author_id: 'u-ben', text: item_id, created_at: 1_700_000_000 })),
    );
    expect(status).toBe(200);
    await ask(
      'POST',
      '/v2/community/interactions',
      ids.map((item_id) => ({ user_id: 'u-ada', item_id, event_type: 'hide', timestamp: 1_700_000_001 })),
    );
    await go('#/reports');
    await cards().nth(24).waitFor();
    expect(await cards().count()).toBe(25);
    await cards().nth(23).focus();
    await page.keyboard.press('j');
    await cards().nth(32).waitFor();
    expect(await cards().count()).toBe(33);
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    // What was dismissed leaves the service's list, so the next ones have moved up.
    await go('#/reports');
    await cards().nth(24).waitFor();
    for (const place of [22, 23, 24])
      await cards().nth(place).getByRole('button', { name: 'Dismiss' }).click();
    let dismissed = 0;
    while (dismissed < 3) {
      const { answer } = await ask('GET', '/v2/community/reports?dismissed=true');
      dismissed = (answer as { total: number }).total;
    }
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    await cards().nth(25).waitFor();
    expect(await cards().count()).toBe(33);
    for (const item_id of ids) await ask('DELETE', `/v2/community/items/${item_id}`);
  });

  test('comes to the end of the list when newer reports have moved up what is loaded already', async () => {
    const { page, go, ask } = shared;
    const hide = async (name: string, count: number, user_ids: readonly string[]): Promise<string[]> => {
      const ids = Array.from({ length: count }, (_, at) => `${name}-${at}`);
      const items = ids.map((item_id) => ({
        ...{ item_id, author_id: 'u-ben', text: item_id, created_at: 1_700_000_000 },
      }));
      const acts = ids.flatMap((item_id) =>
        user_ids.map((user_id) => ({ user_id, item_id, event_type: 'hide', timestamp: 1_700_000_001 })),
      );
      for (const [kind, records] of Object.entries({ items, interactions: acts }))
        expect((await ask('POST', `/v2/community/${kind}`, records)).status).toBe(200);
      return ids;
    };
    const early = await hide('early', 30, ['u-ada']);
    await go('#/reports');
    await cards().nth(24).waitFor();
    // As many as a part has, so the next part is the one that is loaded already.
    const late = await hide('late', 25, ['u-ada', 'u-bea', 'u-cleo']);
    await page.getByRole('button', { name: 'Show more' }).click();
    await cards().nth(32).waitFor();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    expect(await cards().count()).toBe(33);
    for (const item_id of [...early, ...late]) await ask('DELETE', `/v2/community/items/${item_id}`);
  });

  test('is accessible, fits a phone and asks no other host', async () => {
    const { page, go } = shared;
    await go('#/reports');
    await cards().nth(2).waitFor();
    await expectFits(page);
  });

  test('says that nothing was reported, and lets a failed load be tried again', async () => {
    const { page, go, stage, ask } = shared;
    let fails = true;
    await stage.context.route('**/reports?**', (route) => (fails ? route.abort() : route.fallback()));
    await go('#/reports');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    stage.errors.length = 0;
    fails = false;
    for (const item_id of ['cats-1', 'song-2', 'song-3'])
      await ask('DELETE', `/v2/community/items/${item_id}`);
    await again.click();
    await page.getByRole('heading', { name: 'No open reports' }).waitFor();
  });
});
