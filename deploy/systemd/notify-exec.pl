#!/usr/bin/perl
# Starts a program with a descriptor of the service manager's notification socket, and becomes that program.
#
#     notify-exec.pl COMMAND [ARGUMENT ...]
#
# Node.js can't open datagram sockets of the Unix domain. A descriptor that it inherits it can write to. The
# descriptor is named "notify" in LISTEN_FDNAMES, as sd_listen_fds(3) describes. The process id stays the same,
# so the unit needs no NotifyAccess. Perl is part of every Debian and Ubuntu (perl-base).
use strict;
use warnings;
use Fcntl;
use POSIX ();
use Socket;

die "notify-exec.pl needs a command.\n" unless @ARGV;

# They are open until the program begins.
my ($socket, $kept);
my $address = $ENV{NOTIFY_SOCKET};
if (defined $address && $address ne '') {
    # "@" stands for the first byte of an address in the abstract namespace.
    (my $path = $address) =~ s/^@/\0/;
    socket($socket, AF_UNIX, SOCK_DGRAM, 0) or die "There is no socket for NOTIFY_SOCKET: $!\n";
    connect($socket, pack_sockaddr_un($path)) or die "NOTIFY_SOCKET is '$address', which can't be reached: $!\n";
    # A service manager that reads nothing must not hold the program up.
    fcntl($socket, F_SETFL, O_NONBLOCK) or die "The socket of NOTIFY_SOCKET can't be set up: $!\n";

    # A unit may pass descriptors of its own. They begin at 3, and this one follows them.
    my $passed = ($ENV{LISTEN_PID} // '') eq $$ ? ($ENV{LISTEN_FDS} // 0) : 0;
    my @names = $passed > 0 ? split(/:/, $ENV{LISTEN_FDNAMES} // join(':', ('unknown') x $passed)) : ();
    my $descriptor = 3 + $passed;
    my $isThere = fileno($socket) == $descriptor || POSIX::dup2(fileno($socket), $descriptor);
    # Perl closes its descriptors in the program that follows it, unless this flag is taken away.
    open($kept, '>&=', $descriptor) if $isThere;
    $kept && fcntl($kept, F_SETFD, 0) or die "The socket of NOTIFY_SOCKET can't be passed on: $!\n";
    $ENV{LISTEN_PID} = $$;
    $ENV{LISTEN_FDS} = $passed + 1;
    $ENV{LISTEN_FDNAMES} = join(':', @names, 'notify');
}

exec { $ARGV[0] } @ARGV or die "'$ARGV[0]' can't be started: $!\n";
