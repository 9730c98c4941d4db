import { Acts } from './acts.ts';
import { ArrivalsElsewhere } from './arrivals-part.ts';
import { type Server, WITHOUT_SHEDDING } from './children.ts';
import { type Bench, connected, type Run } from './context.ts';
import { anyNeeds, type GroupName } from './groups.ts';
import { measureLatency } from './latency.ts';
import { measurePages, measurePeaks, type Peaks } from './pages.ts';
import { Viewers } from './requests.ts';
import { residentText } from './resident.ts';
import { measureScale } from './scale.ts';
import { checkFullPages, measureSelectivity, sievesOf } from './selectivity.ts';
import { noteStages } from './stages.ts';
import { warmedUp } from './totals.ts';
import { measureVisibility } from './visibility.ts';
import { communityOf } from './worlds.ts';
import { measureIngest, measureReadsDuringIngest } from './writes.ts';

/** Measures running services. Groups that write more run later. */
export class Serving {
  private readonly community;
  private readonly viewers;
  private readonly sieves;
  private full_pages_checked = false;
  private peaks: Peaks | undefined;

  /** @param data data folder of a copy of the world, with a checkpoint */
  constructor(
    private readonly run: Run,
    private readonly data: string,
    private readonly groups: ReadonlySet<GroupName>,
  ) {
    this.community = communityOf(run.world.size);
    this.viewers = new Viewers(this.community);
    this.sieves = groups.has('selectivity') ? sievesOf(this.community) : [];
  }

  /** @param tenth data folder of a copy of the smaller world, for `scale` only */
  async measure(tenth: string | undefined): Promise<void> {
    const { groups } = this;
    // Pages get a service without load shedding, so that their CPU time is that of full pages even on a busy machine.
    if (groups.has('pages')) {
      await this.served(WITHOUT_SHEDDING, (service) =>
        this.connected(service, (bench) => this.measurePages(bench)),
      );
    }
    const others = [...groups].filter((name) => name !== 'pages');
    if (anyNeeds(others, 'service')) {
      await this.served([], (service) => this.measureOthers(service, tenth));
    }
  }

  private async measurePages(bench: Bench): Promise<void> {
    this.peaks = await measurePages(bench);
    await noteStages(bench);
  }

  private async measureOthers(service: Server, tenth: string | undefined): Promise<void> {
    const { groups, sieves, community, viewers } = this;
    const measure = async (name: GroupName, run: (bench: Bench) => Promise<void>): Promise<void> => {
      if (groups.has(name)) await this.connected(service, run);
    };
    await measure('latency', async (bench) => measureLatency(bench, await this.peaksOf(bench)));
    await measure('selectivity', (bench) => measureSelectivity(bench, sieves));
    if (tenth !== undefined) await measure('scale', (bench) => measureScale(bench, tenth));
    await measure('ingest-reads', (bench) => this.measureReads(bench));
    const acts = new Acts(community, viewers.user_ids);
    await measure('visibility', (bench) => measureVisibility(bench, acts));
    await measure('ingest', (bench) => measureIngest(bench, acts));
  }

  private async measureReads(bench: Bench): Promise<void> {
    const { children, world } = this.run;
    const peaks = await this.peaksOf(bench);
    const arriving = await ArrivalsElsewhere.open(children, bench.service.address, world.size);
    await measureReadsDuringIngest(bench, arriving, peaks.for_you);
    await arriving.end();
  }

  private async peaksOf(bench: Bench): Promise<Peaks> {
    this.peaks ??= await measurePeaks(bench);
    return this.peaks;
  }

  /** Starts a service, warms it up, and stops it afterwards. */
  private async served(flags: readonly string[], use: (service: Server) => Promise<void>): Promise<void> {
    const { children, progress, results, world } = this.run;
    progress.begin('a service starts', 1);
    const service = await children.service(this.data, flags);
    const lists = await warmedUp(service.address, progress);
    results.note(`a warm service ${flags.join(' ')}`.trim(), [
      ['neighbour lists built ahead', lists.toLocaleString('en-US')],
      ['memory', residentText(service.pid)],
    ]);
    await this.connected(service, (bench) => this.checkOnce(bench));
    progress.begin('warming up', 1);
    await this.connected(service, ({ driver, viewers }) =>
      driver.full(world.effort.warm_up_ms, viewers.shown('for-you')),
    );
    await use(service);
    await service.kill();
  }

  /** Pages are checked before any viewer has seen one. */
  private async checkOnce(bench: Bench): Promise<void> {
    if (this.full_pages_checked) return;
    await checkFullPages(bench, this.sieves);
    this.full_pages_checked = true;
  }

  /** Opens new connections for each measurement, because the service closes idle ones. */
  private async connected(service: Server, measure: (bench: Bench) => Promise<unknown>): Promise<void> {
    const { run, viewers } = this;
    const driver = await connected(service);
    await measure({ ...run, service, driver, viewers });
    driver.close();
  }
}
