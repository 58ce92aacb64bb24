import os from "node:os";

const MiB = 1024 * 1024;

/**
 * The settings of the embedded server. They are given on its command line, so they override its files. They
 * suit a small installation that uses little when idle. The durability settings are PostgreSQL's defaults,
 * made explicit.
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
    // This means pglz, the only compression that every build has.
    wal_compression: "on",
    // Backups copy the files while they change, and archive the log. See docs/backup.md.
    wal_level: "replica",
    max_wal_senders: "4",
    max_replication_slots: "4",
    // An archive that can't be written costs backups, and not the disk of the database.
    max_slot_wal_keep_size: "2GB",
    max_logical_replication_workers: "0",
    // Workers would be three more idle processes, and help only reads that miss the cache.
    io_method: "sync",
    jit: "off",
    autovacuum: "on",
    // Statistics trail behind a table that grows from nothing by at most this long. The default is a minute.
    autovacuum_naptime: "15s",
    // What is read often is in memory, and disks seek fast.
    random_page_cost: "1.1",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_checkpoints: "off",
    // Statements and the details of errors contain people's messages and addresses.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_line_prefix: "",
  };
}

/** An eighth of the memory, between 32 and 256 MiB. */
export function sharedBuffersMiB(memoryBytes: number): number {
  return Math.round(Math.min(256, Math.max(32, memoryBytes / 8 / MiB)));
}

/** The memory of the machine, or of the container if that is less. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}
