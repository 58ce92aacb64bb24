#!/bin/sh
# Writes a base for images to standard output, as a tar: this machine's shell, Node.js and what else the
# Containerfile runs, and the libraries that every Debian has. No registry is asked.
#
#     base-image.sh FOLDER NODE
set -eu
root=$1
mkdir -p "$root/etc" "$root/usr/local/bin" "$root/var" "$root/root"
mkdir -m 1777 "$root/tmp"
for name in bin sbin lib lib64; do
    mkdir "$root/usr/$name"
    ln -s "usr/$name" "$root/$name"
done
printf '#!/bin/sh\n' > "$root/usr/sbin/nologin"
chmod 755 "$root/usr/sbin/nologin"
cp "$2" "$root/usr/local/bin/node"
for name in sh cat chmod dpkg-deb env groupadd id install ls rm sleep tar touch useradd; do
    cp "$(command -v $name)" "$root/usr/bin/"
done
{
    for program in "$root"/usr/bin/* "$root/usr/local/bin/node"; do
        ldd "$program" | grep -o '/[^ )]*'
    done
    dpkg -L libc6 libgcc-s1 libstdc++6 | grep '^/.*/lib[^/]*\.so[^/]*$'
} | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done
# The locale C.UTF-8 belongs to what every Debian has, too.
mkdir -p "$root/usr/lib/locale"
cp -r /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
echo 'root:x:0:0:root:/root:/bin/sh' > "$root/etc/passwd"
echo 'root:x:0:' > "$root/etc/group"
touch "$root/etc/shadow" "$root/etc/gshadow"
tar -c -C "$root" .
