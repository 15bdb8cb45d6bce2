import { accessSync, constants, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const memoryFolder = "/dev/shm";
/** Bytes that must be free in it and in the machine: many times what all tests together hold at once. */
const needed = 6 * 1024 ** 3;

/**
 * The folder for data that nobody wants after the test: in memory where the machine has plenty, else the temporary one.
 * Each test database is some 800 files, and a disk's file system takes longer to make and remove those than most tests run.
 */
export function scratchFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bsize, bavail } = statfsSync(memoryFolder);
    if (bsize * bavail >= needed && freemem() >= needed) return memoryFolder;
  } catch {
    // Not there, or not ours to write to.
  }
  return tmpdir();
}
