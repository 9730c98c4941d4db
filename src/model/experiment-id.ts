export const EXPERIMENT_ID = /^exp_([1-9]\d{0,8})$/;
/** The highest number of an imported experiment. 900 million ids stay free for later ones. */
export const IMPORTED_NUMBER_MAX = 100_000_000;

export function experimentId(number: number): string {
  return `exp_${number}`;
}

/** The number of an id. NaN for any other text. */
export function experimentNumber(experiment_id: string): number {
  return Number(EXPERIMENT_ID.exec(experiment_id)?.[1]);
}
