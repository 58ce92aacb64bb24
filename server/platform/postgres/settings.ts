import os from "node:os";

const MiB = 1024 * 1024;

/**
 * The settings of the embedded server, given at its start and therefore stronger than its files. They aim at a
 * small installation that is quiet at rest; durability is PostgreSQL's default, written down.
 */
export function serverSettings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: socketDir,
    port: "5432",
    max_connections: "60",
    shared_buffers: `${sharedBuffersMiB(availableMemory())}MB`,
    max_wal_size: "1GB",
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    // pglz, the one compression that every build has.
    wal_compression: "on",
    // Nothing replicates from this server: no log detail for replicas, and no process that waits for one.
    wal_level: "minimal",
    max_wal_senders: "0",
    max_logical_replication_workers: "0",
    // Workers would be three more processes at rest, and help only reads that miss the cache.
    io_method: "sync",
    jit: "off",
    autovacuum: "on",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_checkpoints: "off",
    // People's messages and addresses stand in statements and in the details of errors.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_line_prefix: "",
  };
}

/** An eighth of the memory, between 32 and 256 MiB. */
export function sharedBuffersMiB(memoryBytes: number): number {
  return Math.round(Math.min(256, Math.max(32, memoryBytes / 8 / MiB)));
}

/** The machine's memory, or the container's where that is less. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}
