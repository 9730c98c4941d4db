/**
 * Solves (A + c I) x = b for a symmetric A without negative eigenvalues, and c > 0, by Cholesky's decomposition. O(n³ / 6).
 * @param matrix the rows of A, of which the half up to the diagonal is read
 */
export function solve(matrix: Float64Array, added: number, right: Float64Array): Float64Array {
  const size = right.length;
  const lower = matrix.slice();
  const x = right.slice();
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] + (row === column ? added : 0);
      for (let k = 0; k < column; k++) sum -= lower[row * size + k] * lower[column * size + k];
      // Rounding may lose what was added.
      lower[row * size + column] =
        row === column ? Math.sqrt(Math.max(added / 2, sum)) : sum / lower[column * size + column];
    }
    for (let k = 0; k < row; k++) x[row] -= lower[row * size + k] * x[k];
    x[row] /= lower[row * size + row];
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let below = row + 1; below < size; below++) x[row] -= lower[below * size + row] * x[below];
    x[row] /= lower[row * size + row];
  }
  return x;
}
