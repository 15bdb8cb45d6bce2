/** One measured figure beside its floor: what the plainest way does on this machine in the same run. */
export interface BenchRow {
  what: string;
  /** Of `figure` and `floor`, as `emails/s`. */
  unit: string;
  figure: number;
  floor: number | null;
  /** figure / floor */
  ratio: number | null;
}
