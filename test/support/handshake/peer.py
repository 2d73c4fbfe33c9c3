"""A peer that is half-way through a TCP handshake when the server takes no more connections, in a network of its own."""

import fcntl, os, select, socket, struct, subprocess, sys, time

PEER, SERVER = socket.inet_aton("10.9.0.2"), socket.inet_aton("10.9.0.1")
SYN, RST, PSH, ACK = 0x02, 0x04, 0x08, 0x10

device = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(device, 0x400454CA, struct.pack("16sH", b"tun0", 0x0001 | 0x1000))
for words in ("link set lo up", "addr add 10.9.0.1/24 dev tun0", "link set tun0 up"):
    subprocess.check_call(["ip", *words.split()])


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def send(port, sequence, acknowledged, flags, data=b""):
    tcp = struct.pack("!HHIIBBHHH", port, server_port, sequence, acknowledged, 5 << 4, flags, 65000, 0, 0) + data
    sum_of_tcp = checksum(PEER + SERVER + struct.pack("!BBH", 0, 6, len(tcp)) + tcp)
    tcp = tcp[:16] + struct.pack("!H", sum_of_tcp) + tcp[18:]
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0, PEER, SERVER)
    os.write(device, ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:] + tcp)


def receive(port, is_awaited, seconds):
    """The next packet for the port that is waited for: its sequence number, flags and data."""
    until = time.monotonic() + seconds
    while select.select([device], [], [], max(0, until - time.monotonic()))[0]:
        packet = os.read(device, 4000)
        if packet[0] >> 4 != 4 or packet[9] != 6:
            continue
        tcp = packet[(packet[0] & 15) * 4 :]
        _, to, sequence, _, offset, flags = struct.unpack("!HHIIBB", tcp[:14])
        data = tcp[(offset >> 4) * 4 :]
        if to == port and is_awaited(flags, data):
            return sequence, flags, data
    return None


server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    server_port = int(server.stdout.readline())
    send(40000, 1000, 0, SYN)
    begun = receive(40000, lambda flags, _: flags & SYN, 10)
    server.stdin.write("quiet\n")
    server.stdin.flush()
    server.stdout.readline()
    send(40000, 1001, begun[0] + 1, ACK)
    send(40000, 1001, begun[0] + 1, ACK | PSH, b"GET / HTTP/1.1\r\nHost: folk.example\r\n\r\n")
    answer = receive(40000, lambda flags, data: data or flags & RST, 5)
    print("begun:", answer[2].split(b"\r\n")[0].decode() if answer else "no answer")
    send(40001, 5000, 0, SYN)
    print("new:", "an answer" if receive(40001, lambda *_: True, 1) else "no answer")
finally:
    server.kill()
