# Sourced by app/run.sh and tests/run.sh: what Bubblescope needs, in Debian's and Ubuntu's names, and how it gets there.

build_packages=(
    build-essential cmake ninja-build ccache pkg-config
    libfmt-dev nlohmann-json3-dev libcli11-dev libsqlite3-dev libzstd-dev
    libopenblas-pthread-dev # this flavour: the serial one computes wrong numbers when threads share it
    qt6-base-dev qt6-svg-dev libqcustomplot-dev
    qt6-l10n-tools # translations; without it the window speaks English
    libwebp-dev # replays as animations
    fonts-dejavu-core # a machine without a desktop has no font to draw with
)
test_packages=(catch2 clang-14 libclang-rt-14-dev clang-format-14)
tidy_packages=(clang-tidy-14)

# Installs those of the named packages that are missing; asks for nothing when none is.
install_missing()
{
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "This system has no apt-get. Please install what these Debian 12 packages hold, then run this with --build-only:" >&2
        printf '    %s\n' "$@" >&2
        exit 2
    fi

    local package missing=() as_root=()
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    [[ ${#missing[@]} -eq 0 ]] && return

    if [[ $EUID -ne 0 ]]; then
        if ! command -v sudo >/dev/null; then
            echo "Missing: ${missing[*]}. Please install as root: apt-get install ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
        echo "sudo is needed to install: ${missing[*]}"
    else
        echo "Installing: ${missing[*]}"
    fi

    local try apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3)
    for try in 1 2 3; do
        # Refresh the lists and install together: a stale list and a lost connection look the same from here.
        if "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; then
            return
        fi
        echo "Installing failed (try $try of 3)." >&2
        sleep $((try * 5))
    done
    echo "Could not install: ${missing[*]}" >&2
    exit 1
}
