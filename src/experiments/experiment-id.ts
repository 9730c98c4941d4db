export const EXPERIMENT_ID = /^exp_([1-9]\d{0,8})$/;

export function experimentId(number: number): string {
  return `exp_${number}`;
}

/** The number of an id. NaN for any other text. */
export function experimentNumber(experiment_id: string): number {
  return Number(EXPERIMENT_ID.exec(experiment_id)?.[1]);
}
