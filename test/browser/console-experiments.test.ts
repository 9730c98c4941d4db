import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import type { FeedloomClient } from '../../openapi/client/src/index.ts';
import {
  apiOf,
  expectAccessible,
  expectFits,
  forAll,
  openConsole,
  READY,
  SIZES,
  untilHolds,
} from './console.ts';
import { readInterleaved, readUnderExperiment } from './experiment-traffic.ts';
import { MISSING, openStage, type Stage } from './support.ts';

describe.skipIf(MISSING !== '')(`the experiments of the console${MISSING}`, () => {
  let stage: Stage;
  let page: Page;
  let api: FeedloomClient;
  let feeds: Record<'main' | 'other' | 'quiet', string>;

  const makeFeed = async (name: string): Promise<string> => {
    const { data } = await api.createFeed({ name, endpoint: 'feeds/popular', config: {} });
    return data.config_id;
  };
  const start = async (feed_id: string, percents: readonly [number, number] = [50, 50]): Promise<string> => {
    const variants = [
      { name: 'control', feed_id, percent: percents[0] },
      { name: 'newer first', feed_id: feeds.other, percent: percents[1] },
    ];
    const body = { name: 'Newer first', feed_id, variants, metric: 'like' as const };
    return (await api.call('POST', '/api/experiments', { body })).data.experiment_id;
  };
  const go = async (where: string): Promise<void> => {
    await page.setViewportSize(SIZES.laptop);
    await page.goto(`${stage.running.address}/console${where}`);
    await page.reload();
    await untilHolds(page, READY);
  };
  const region = (name: string | RegExp): Locator => page.getByRole('region', { name });

  forAll(async () => {
    stage = await openStage();
    api = apiOf(stage);
    feeds = {
      main: await makeFeed('Home'),
      other: await makeFeed('Newer first'),
      quiet: await makeFeed('Quiet'),
    };
    page = await openConsole(stage, '#/experiments');
    return stage;
  });

  test('are set up with the keyboard, and faults are shown at their fields', async () => {
    await go('#/experiments');
    await page.getByRole('heading', { name: 'There are no experiments yet' }).waitFor();
    await page.getByRole('link', { name: 'New experiment' }).first().press('Enter');
    await page.getByRole('button', { name: 'Start the experiment' }).press('Enter');
    const name = page.getByLabel('Name', { exact: true }).first();
    await name.and(page.locator('[aria-invalid="true"]')).waitFor();
    const feed = page.getByLabel('Feed', { exact: true });
    expect(await feed.inputValue()).toBe('');
    await page.getByText('Choose a feed.').waitFor();
    await name.fill('Quiet or not');
    await page.getByLabel('Feed', { exact: true }).selectOption(feeds.quiet);
    const treatment = page.getByRole('group', { name: 'Treatment 1' });
    const nothing_to_compare = page.getByText('All variants show the same feed');
    await nothing_to_compare.waitFor();
    await treatment.getByLabel('Shows').selectOption(feeds.main);
    await nothing_to_compare.waitFor({ state: 'detached' });
    await page.getByLabel('Feed', { exact: true }).selectOption(feeds.main);
    await page.getByLabel('Feed', { exact: true }).selectOption(feeds.quiet);
    await treatment.getByLabel('Shows').and(page.locator(':has(option[value=""]:checked)')).waitFor();
    await treatment.getByLabel('Name').fill('other');
    await treatment.getByLabel('Shows').selectOption(feeds.other);
    await treatment.getByLabel('Percent').fill('80');
    await page.getByText('The percents are above 100 together.').waitFor();
    await treatment.getByLabel('Percent').fill('20');
    await page.getByText('The other 30% get the feed unchanged and are not counted.').waitFor();
    await page.getByLabel('Metric that decides').selectOption('next_day_return');
    await page.getByRole('button', { name: 'Start the experiment' }).press('Enter');
    await page.getByRole('heading', { name: 'Experiments / Quiet or not' }).waitFor();
    await page.getByRole('heading', { name: 'No viewer has been counted yet' }).waitFor();
    const { data } = await api.call('GET', '/api/experiments', {});
    expect(data[0].variants).toEqual([
      { name: 'control', feed_id: feeds.quiet, percent: 50 },
      { name: 'other', feed_id: feeds.other, percent: 20 },
    ]);
    expect(data[0].metric).toBe('next_day_return');
    // The browser tells of every refused request.
    stage.errors.length = 0;
  });

  test('tell that a feed has one already', async () => {
    await go(`#/experiments/new?feed=${feeds.quiet}`);
    await page.getByLabel('Name', { exact: true }).first().fill('Again');
    await page.getByRole('button', { name: 'Start the experiment' }).click();
    await page.getByRole('alert').getByText('a feed has at most one running experiment').waitFor();
    stage.errors.length = 0;
  });

  test('say how many viewers a lift needs before they start', async () => {
    await go(`#/experiments/new?feed=${feeds.main}`);
    const row = region('How many viewers are needed').getByRole('row', { name: /^5%/ });
    const needed = async (): Promise<number> =>
      Number((await row.getByRole('cell').last().textContent())?.replaceAll(',', ''));
    const at_first = await needed();
    expect(at_first).toBeGreaterThan(10_000);
    await page.getByLabel('Viewers who do it at least once, in percent').fill('40');
    expect(await needed()).toBeLessThan(at_first);
    await page.getByRole('group', { name: 'Control' }).getByLabel('Percent').fill('10');
    expect(await needed()).toBeGreaterThan(at_first);
  });

  test('show what was found, what to conclude, and what not', async () => {
    const experiment_id = await start(feeds.main);
    await readUnderExperiment(api, {
      feed_id: feeds.main,
      prefix: 'reader',
      viewers: { control: 150, 'newer first': 150 },
      like_percents: { control: 24, 'newer first': 72 },
    });
    await go(`#/experiments/${experiment_id}`);
    await region('Are the groups comparable?').getByText('Yes. The numbers of viewers fit').waitFor();
    const result = region('Result: likes per viewer');
    await result.getByRole('heading', { name: 'newer first: better' }).waitFor();
    await result.getByText('newer first has 200% more likes per viewer than control.').waitFor();
    const row = result.getByRole('row', { name: /^newer first/ });
    expect((await row.getByRole('cell').allTextContents())[0]).toBe('+200%');
    await result
      .getByRole('img', { name: /^Difference to control: Likes per viewer\. newer first: \+200%/ })
      .waitFor();
    await result.getByText('What not to conclude').press('Enter');
    await result.getByText('Not decided is not equal.').waitFor();
    await region('Guardrails').getByText('No guardrail is known to be worse.').waitFor();
    const rates = region('Rates');
    expect(
      await rates
        .getByRole('row', { name: /^control/ })
        .getByRole('cell')
        .first()
        .textContent(),
    ).toBe('0.24');
    await rates.getByLabel('Metric').selectOption('short_pages');
    await rates.getByText('This metric was not chosen to decide').waitFor();
    await region('How many viewers are needed')
      .getByRole('row', { name: /^20%.*%$/ })
      .waitFor();
  });

  test('are not decided by chance', async () => {
    const feed_id = await makeFeed('Alike');
    const experiment_id = await start(feed_id);
    await readUnderExperiment(api, {
      ...{ feed_id, prefix: 'alike', viewers: { control: 110, 'newer first': 110 } },
      like_percents: { control: 50, 'newer first': 54 },
    });
    await go(`#/experiments/${experiment_id}`);
    const result = region('Result: likes per viewer');
    await result.getByRole('heading', { name: 'newer first: not decided' }).waitFor();
    await result.getByText('This does not show that the variants are equal.').waitFor();
  });

  test('hide the comparison when the groups do not fit the percents', async () => {
    const feed_id = await makeFeed('Broken');
    const experiment_id = await start(feed_id);
    await readUnderExperiment(api, {
      ...{ feed_id, prefix: 'lost', viewers: { control: 120, 'newer first': 40 } },
      like_percents: { control: 50, 'newer first': 100 },
    });
    await go(`#/experiments/${experiment_id}`);
    const check = region('Are the groups comparable?');
    await check.getByRole('alert').getByText('No. Do not compare these variants.').waitFor();
    expect(await region(/^Result/).count()).toBe(0);
    expect(await region('Rates').count()).toBe(0);
    await expectAccessible(page);
    await check.getByRole('button', { name: 'Show the numbers all the same' }).press('Enter');
    await region('Rates').waitFor();
    expect(await region(/^Result/).count()).toBe(0);
  });

  test('go on with other percents, and begin a new period with the current feeds', async () => {
    const feed_id = await makeFeed('Periods');
    const experiment_id = await start(feed_id, [20, 20]);
    await readUnderExperiment(api, {
      ...{ feed_id, prefix: 'first', viewers: { control: 10, 'newer first': 10 }, like_percents: {} },
    });
    await go(`#/experiments/${experiment_id}`);
    await page.getByRole('button', { name: 'Change percents' }).click();
    const window = page.getByRole('dialog', { name: 'Change percents' });
    await window.getByLabel('newer first').fill('90');
    await window.getByRole('button', { name: 'Change' }).click();
    await window.getByRole('alert').getByText('must sum to at most 100').waitFor();
    expect(await window.locator('.error').count()).toBe(1);
    stage.errors.length = 0;
    await window.getByLabel('newer first').fill('40');
    await page.keyboard.press('Enter');
    await page.getByText(/The percents are changed\. only 'newer first' gets further viewers/).waitFor();
    await region('Are the groups comparable?').getByRole('row', { name: 'control 20% 10' }).waitFor();
    const banner = page.getByText(`control serves revision 1 of ${feed_id}; the feed is at 2.`);
    expect(await banner.count()).toBe(0);
    await api.changeFeed({ config_id: feed_id, config: { top_k: 9 } });
    await go(`#/experiments/${experiment_id}`);
    await banner.waitFor();
    await expectFits(page);
    await page.setViewportSize(SIZES.laptop);
    await page.getByRole('button', { name: 'Take the current feeds' }).click();
    await page
      .getByRole('dialog', { name: 'Take the current feeds' })
      .getByRole('button', { name: 'Begin a new period' })
      .click();
    await page.getByText('A new period has begun').waitFor();
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No viewer has been counted yet' }).waitFor();
    await region('Periods').getByRole('link', { name: /^1:/ }).click();
    await region('Are the groups comparable?').getByRole('row', { name: 'control 10' }).waitFor();
    expect(page.url()).toContain('period=1');
  });

  test('interleave two feeds on each page, and say which of them gets more of the acts', async () => {
    const feed_id = await makeFeed('Both');
    await go(`#/experiments/new?feed=${feed_id}`);
    await page.getByLabel('Name', { exact: true }).first().fill('Teams');
    await page.getByRole('group', { name: 'Control' }).getByLabel('Percent').waitFor();
    await page.getByLabel('Method').selectOption('interleaving');
    await page.getByText('Often a tenth of those that a split needs').waitFor();
    expect(await page.getByLabel('Percent', { exact: true }).count()).toBe(0);
    await page.getByRole('group', { name: 'Treatment 1' }).getByLabel('Shows').selectOption(feeds.other);
    await page.getByLabel('Metric that decides').selectOption('like');
    await expectFits(page);
    await page.setViewportSize(SIZES.laptop);
    await page.getByRole('button', { name: 'Start the experiment' }).click();
    await page.getByRole('heading', { name: 'Experiments / Teams' }).waitFor();
    await readInterleaved(api, { feed_id, prefix: 'both', readers: 120, favoured: 'treatment', percent: 75 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await region('What was shown')
      .getByText('120 viewers saw 120 pages with posts of both variants')
      .waitFor();
    const result = region('Result: likes per page');
    await result.getByRole('heading', { name: 'treatment: better' }).waitFor();
    await result.getByText('treatment gets 75% of likes on posts of either team, and control 25%').waitFor();
    await region('Rates').getByRole('columnheader', { name: 'Likes per page' }).waitFor();
    await expectFits(page);
    await page.setViewportSize(SIZES.laptop);
    await page.getByRole('button', { name: 'Change percents' }).click();
    const window = page.getByRole('dialog', { name: 'Change percents' });
    await window.getByLabel('Viewers with both variants, percent').fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('The percents are changed').waitFor();
    const { data } = await api.call('GET', '/api/experiments', {});
    const teams = data.find(({ name }) => name === 'Teams');
    expect(teams?.variants.map(({ percent }) => percent)).toEqual([50, 50]);
  });

  test('are stopped, keep their totals, and start again', async () => {
    await go('#/experiments');
    await page
      .getByRole('row', { name: /Broken|Newer first/ })
      .first()
      .waitFor();
    const { data } = await api.call('GET', '/api/experiments', {});
    const found = data.find(({ feed_id }) => feed_id === feeds.main);
    await go(`#/experiments/${found?.experiment_id}`);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Stop this experiment' })
      .getByRole('button', { name: 'Stop' })
      .click();
    await page.getByText('The experiment is stopped').waitFor();
    await page.getByText('stopped', { exact: true }).waitFor();
    await region('Result: likes per viewer').getByRole('heading', { name: 'newer first: better' }).waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('dialog', { name: 'Start again' }).getByRole('button', { name: 'Start' }).click();
    await page.getByText('The experiment runs again').waitFor();
    await page.getByText('running', { exact: true }).waitFor();
  });

  test('are downloaded as CSV, results and viewers', async () => {
    const { data } = await api.call('GET', '/api/experiments', {});
    const found = data.find(({ feed_id }) => feed_id === feeds.main);
    await go(`#/experiments/${found?.experiment_id}?period=1`);
    const download = async (name: string): Promise<string[]> => {
      await page.getByLabel('Actions for Newer first').click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\n');
    };
    const results = await download('Results as CSV');
    expect(results[0]).toStartWith('period,started_at,ended_at,variant,viewers,');
    const liked = results.find((line) => /^1,\d+,\d+,newer first,150,450,150,0,like,0\.72,/.test(line));
    expect(liked).toMatch(/,true,true$/);
    expect(await download('Viewers as CSV')).toEqual([expect.stringMatching(/^user_id,variant,impressions/)]);
  });

  test('are deleted after a question', async () => {
    const feed_id = await makeFeed('Gone');
    const experiment_id = await start(feed_id);
    await go(`#/experiments/${experiment_id}`);
    await page.getByLabel('Actions for Newer first').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Newer first').waitFor();
    await page.getByRole('heading', { name: 'Experiments', exact: true }).waitFor();
    await untilHolds(page, READY);
    expect(await page.getByText(experiment_id, { exact: true }).count()).toBe(0);
  });

  test('open by g e, fit a phone, are accessible, and ask no other host', async () => {
    await go('#/health');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Experiments', exact: true }).waitFor();
    const { data } = await api.call('GET', '/api/experiments', {});
    const found = data.find(({ feed_id }) => feed_id === feeds.main);
    for (const where of ['', '/new', `/${found?.experiment_id}?period=1`]) {
      await go(`#/experiments${where}`);
      await expectFits(page);
    }
  });
});
