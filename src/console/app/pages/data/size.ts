const UNITS = ['B', 'kB', 'MB', 'GB'];
const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `3.2 MB` */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${AMOUNT.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}
