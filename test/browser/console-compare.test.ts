import { describe, expect, test } from 'bun:test';
import { expectAccessible, expectFits, forAll, openConsole, SIZES } from './console.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

describe.skipIf(MISSING !== '')(`comparing feeds${MISSING}`, () => {
  let stage: Stage;
  forAll(async () => {
    stage = await openStage();
    await change('POST', {
      name: 'Best',
      endpoint: 'feeds/popular',
      config: { filters: { languages: ['en'] }, top_k: 8 },
    });
    await change('PATCH', { config_id: 'feed_1', config: { scoring: '7day', top_k: 8 } });
    return stage;
  });

  async function change(method: string, body: object): Promise<void> {
    const response = await fetch(`${stage.running.address}/api/feed/config`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
  }

  test('marks what moved between a revision and the feed as it is now', async () => {
    const page = await openConsole(stage, '#/compare?left=feed_1@1&right=feed_1');
    const [before, after] = ['Before', 'After'].map((name) => page.getByRole('list', { name }));
    await before.locator('> li').last().waitFor();
    await after.locator('> li').last().waitFor();
    const places = async (list: typeof before) =>
      list.locator('> li').evaluateAll((entries) => entries.map((entry) => entry.dataset.item ?? ''));
    const [left, right] = [await places(before), await places(after)];
    expect([left.length, right.length]).toEqual([8, 8]);
    const marks = await after.locator('.mark').allInnerTexts();
    for (const [at, item_id] of right.entries()) {
      const from = left.indexOf(item_id);
      const moved = from > at ? `up ${from - at}, from ${from + 1}` : `down ${at - from}, from ${from + 1}`;
      expect(marks[at]).toBe(from < 0 ? 'new' : from === at ? 'same place' : moved);
    }
    const gone = left.filter((item_id) => !right.includes(item_id)).length;
    expect(gone).toBeGreaterThan(0);
    await page.getByText(`${gone} new, ${gone} gone.`).waitFor();
    await expectAccessible(page);
  });

  test('is walked by arrow keys, and leads to why a post is missing', async () => {
    const page = await openConsole(stage, '#/compare?left=popular&right=feed_1');
    const here = () => page.evaluate('document.activeElement?.dataset.item');
    const side = () => page.evaluate('document.activeElement?.parentElement.dataset.side');
    const before = page.getByRole('list', { name: 'Before' });
    const stays = before.locator('> li').filter({ hasNotText: 'gone' }).first();
    await page.getByRole('list', { name: 'After' }).locator('> li').first().waitFor();
    await stays.focus();
    const item_id = await here();
    await page.keyboard.press('ArrowRight');
    expect([await side(), await here()]).toEqual(['right', item_id]);
    await page.keyboard.press('ArrowLeft');
    expect([await side(), await here()]).toEqual(['left', item_id]);
    await page.keyboard.press('ArrowDown');
    expect(await here()).not.toBe(item_id);
    await page.keyboard.press('ArrowUp');
    expect(await here()).toBe(item_id);
    await before.getByRole('link', { name: 'Why not on the other side?' }).first().click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('It is not on the page.').waitFor();
    expect(page.url()).toContain('feed=feed_1');
  });

  test('swaps its sides, and has one above the other on a phone', async () => {
    const page = await openConsole(stage, '#/compare?left=popular&right=feed_1');
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await page.getByRole('list', { name: 'After' }).locator('> li').last().waitFor();
    expect(await page.getByLabel('Before').first().inputValue()).toBe('feed_1');
    const [upper, lower] = await Promise.all(
      ['Before', 'After'].map((name) => page.getByRole('region', { name }).boundingBox()),
    );
    expect(lower?.y).toBeGreaterThanOrEqual((upper?.y ?? 0) + (upper?.height ?? 0));
    await expectFits(page);
  });
});
